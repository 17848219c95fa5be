import { describe, expect, it } from 'vitest'

import { isSecretName } from '../../generator/model/annotations/secrets.js'
import { generateFrom, SCHEMA_HEAD } from '../support/generate.js'

describe('looksLikeSecret', () => {
  it.each(
    `password passwords passwordHash password_hash PasswordHash passwordhash hashedPassword hashed_password encryptedPassword
    passwordEncrypted userPassword userpassword password2 passwd pwd pw pass passphrase passPhrase passcode pinHash pin_hash
    encryptedPin hash salt passwordSalt token tokens accessToken access_token ACCESS_TOKEN accesstoken refreshToken idToken
    sessionToken oAuthToken resetPasswordToken verification_token tokenHash token_value csrfToken secret secrets
    clientSecret client_secret clientsecret webhookSecret totpSecret twoFactorSecret mfaSecret secretEncrypted apiKey api_key APIKey
    apikey apiKeys userApiKey API_KEY keyHash privateKey private_key privateKeyPem secretKey accessKey encryptionKey signingKey
    otp otpCode OTPCode totp recoveryCode recoveryCodes backup_codes verificationCode resetCode loginCode twoFactorCode credentials jwt cvv
    seedPhrase securityAnswer connectionString`.split(/\s+/),
  )('%s: returns true', (name) => {
    expect(isSecretName(name)).toBe(true)
  })

  it.each(
    `tokenCount tokens_used tokenId tokenType tokenExpiresAt hashtag hashTag hashtags rehash contentHash fileHash commitHash txHash
    imageHash blurHash passwordChangedAt passwordResetAt password_updated_at hasPassword_at secretary secretName secretId
    clientSecretExpiresAt nextPageToken pageToken page_token cursorToken continuationToken designToken basalt compass boardingPass
    bypass passport passenger apiKeyId accessKeyId publicKey public_key primaryKey foreignKey key keys cacheKey code zipCode countryCode
    discountCode pin pinCode digest newsletterDigest value name email otpEnabled saltLevel jwtId author keyboard tokenizer
    secretQuestion publicKeyHash`.split(/\s+/),
  )('%s: returns false', (name) => {
    expect(isSecretName(name)).toBe(false)
  })
})

describe('secret-like field names', () => {
  const collectNotes = async (models: string) =>
    (await generateFrom({ 'a.prisma': SCHEMA_HEAD.replace('sqlite', 'postgresql'), 'b.prisma': models })).notes.map(
      (note) => note.replace(/^\S*\/(\w+\.prisma)/, '$1'),
    )
  const SECRET_NOTE =
    'Callers can read this field, and its name resembles that of a secret. Write "@api.hidden" or "@api.writeOnly" above it, or "@api.exposed" if callers may read it.'

  it('reports each readable field with file and line', async () => {
    const notes = await collectNotes(`model User {
  id        Int     @id
  /// What it was. @zod.min(8)
  password  String
  seed      Bytes?  @map("seed_phrase")
  secrets   Json[]
  tokens    String[]
}
/// @api.readOnly
model Account {
  id        Int     @id
  api_key   String
}`)
    expect(notes).toEqual([
      `b.prisma:12: model Account, field api_key: ${SECRET_NOTE}`,
      `b.prisma:4: model User, field password: ${SECRET_NOTE}`,
      `b.prisma:5: model User, field seed: ${SECRET_NOTE}`,
      `b.prisma:6: model User, field secrets: ${SECRET_NOTE}`,
      `b.prisma:7: model User, field tokens: ${SECRET_NOTE}`,
    ])
  })

  it('reports a foreign key that is read-only through its relation', async () => {
    const notes = await collectNotes(`model Link {
  id         Int    @id
  /// @api.readOnly
  grant      Grant  @relation(fields: [grantToken], references: [code])
  grantToken String @default("a")
}
model Grant {
  code  String @id
  links Link[]
}`)
    expect(notes).toEqual([`b.prisma:5: model Link, field grantToken: ${SECRET_NOTE}`])
  })

  it('ignores annotated, hidden and non-text fields', async () => {
    const notes = await collectNotes(`model User {
  id       Int     @id
  /// @api.hidden
  password String?
  /// @api.writeOnly
  pin_hash String
  /// @api.readOnly
  apiKey   String  @default("a")
  token    String  /// Given to be shared. @api.exposed
  otp      Int
  hash     BigInt
  secret   Boolean
  sessions Session[]
}
/// @api.hidden
model Session {
  token  String @id
  user   User   @relation(fields: [userId], references: [id])
  userId Int
}`)
    expect(notes).toEqual([])
  })

  it('emits the same files with and without @api.exposed', async () => {
    const model = (comment: string) => `${SCHEMA_HEAD}model User {\n  id Int @id\n  token String ${comment}\n}`
    const [without, deliberate] = await Promise.all([generateFrom(model('')), generateFrom(model('/// @api.exposed'))])
    expect(deliberate.byPath).toEqual(without.byPath)
  })
})

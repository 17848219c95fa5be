import type { Diagnostic } from '../../errors.js'
import type { ApiModel, FieldSpec } from '../api-model.js'

/** What may stand before a secret's word without a border: `accesstoken`. */
const BEFORE =
  '(?:access|api|app|auth|bot|client|csrf|encrypted|hashed|id|jwt|mfa|otp|refresh|reset|session|totp|user|webhook)?-?'

/** What ends the name of a secret; words are joined by hyphens. */
const SECRET = new RegExp(
  `(?:^|-)(?:${[
    `${BEFORE}(?:passwords?|passwd|pwd|pass-?phrases?|pass-?codes?|secrets?|salt)`,
    `(?<!(?:continuation|cursor|design|page)-)${BEFORE}tokens?`,
    '(?:access|api|auth|decryption|encryption|master|private|secret|service|session|signing)-?keys?',
    '(?:2fa|access|auth|authorization|backup|login|mfa|otp|recovery|reset|security|two-?factor|verification)-?codes?',
    '(?:[ht]?otp|jwt|bearer|cvv|cvc|credentials?)',
    '(?:mnemonic|recovery|secret|seed)-?phrases?',
    '(?:secret|security)-?answers?',
    'connection-?strings?',
    '(?:encrypted|hashed)-?(?:code|key|pass|pin|pw)',
  ].join('|')})$`,
)

/** How a secret may be kept. What is kept as `pin` or `key` alone is no secret by its name, but is one with a hash. */
const KEPT =
  /(?:-?hash(?:ed)?|-(?:b64|base64|cipher|ciphertext|digest|enc|encrypted|hex|jwk|pem|plain|plaintext|raw|value))$/

/**
 * Tells whether something is called like a secret: `password`, `accessToken`, `api_key`, but not `tokenCount` or `hashtag`.
 * @param name in camelCase, PascalCase or snake_case
 */
export function looksLikeSecret(name: string): boolean {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replace(/[^\p{L}\d]+/gu, '-')
    .toLowerCase()
    .replace(/^-|-?\d*-?$/g, '')
  const kept = words.replace(KEPT, '')
  if (SECRET.test(words) || SECRET.test(kept) || /^(?:hash|pass|pw)$/.test(words)) return true
  return kept !== words && /^(?:code|key)$|(?:^|-)(?:pass|pin|pw)$/.test(kept)
}

/**
 * Fields that callers can read although they are called like secrets, in the order of models and fields. A field whose comment says
 * how far it is on the wire is none of them.
 */
export function findReadableSecrets(api: ApiModel): readonly Diagnostic[] {
  return api.models.flatMap((model) =>
    model.fields.filter(isReadableSecret).map(({ name }) => ({
      place: { model: model.name, field: name },
      what: 'It is called like a secret, and callers can read it.',
      mend: 'Write "@api.hidden" or "@api.writeOnly" above it, or "@api.exposed" if that is meant.',
    })),
  )
}

function isReadableSecret({ name, column, type, exposure, isDeliberate }: FieldSpec): boolean {
  if (isDeliberate || (exposure !== 'full' && exposure !== 'readOnly')) return false
  if (type !== 'String' && type !== 'Bytes' && type !== 'Json') return false
  return looksLikeSecret(name) || looksLikeSecret(column ?? '')
}

import type { Diagnostic } from '../../errors.js'
import type { ApiModel, FieldSpec } from '../api-model.js'

/** Words that may be joined to a secret's word without a separator, such as `accesstoken`. */
const SECRET_PREFIX =
  '(?:access|api|app|auth|bot|client|csrf|encrypted|hashed|id|jwt|mfa|otp|refresh|reset|session|totp|user|webhook)?-?'

/** Matches names that end like the name of a secret. Words are joined by hyphens. */
const SECRET = new RegExp(
  `(?:^|-)(?:${[
    `${SECRET_PREFIX}(?:passwords?|passwd|pwd|pass-?phrases?|pass-?codes?|secrets?|salt)`,
    `(?<!(?:continuation|cursor|design|page)-)${SECRET_PREFIX}tokens?`,
    '(?:access|api|auth|decryption|encryption|master|private|secret|service|session|signing)-?keys?',
    '(?:2fa|access|auth|authorization|backup|login|mfa|otp|recovery|reset|security|two-?factor|verification)-?codes?',
    '(?:[ht]?otp|jwt|bearer|cvv|cvc|credentials?)',
    '(?:mnemonic|recovery|secret|seed)-?phrases?',
    '(?:secret|security)-?answers?',
    'connection-?strings?',
    '(?:encrypted|hashed)-?(?:code|key|pass|pin|pw)',
  ].join('|')})$`,
)

/** Matches suffixes that describe the stored form of a secret. `pin` and `key` indicate a secret only with such a suffix. */
const STORAGE_SUFFIX =
  /(?:-?hash(?:ed)?|-(?:b64|base64|cipher|ciphertext|digest|enc|encrypted|hex|jwk|pem|plain|plaintext|raw|value))$/

/**
 * Whether a name looks like that of a secret: `password`, `accessToken` and `api_key` do, `tokenCount` and `hashtag` do not.
 * @param name in camelCase, PascalCase or snake_case
 */
export function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replace(/[^\p{L}\d]+/gu, '-')
    .toLowerCase()
    .replace(/^-|-?\d*-?$/g, '')
  const stem = words.replace(STORAGE_SUFFIX, '')
  if (SECRET.test(words) || SECRET.test(stem) || /^(?:hash|pass|pw)$/.test(words)) return true
  return stem !== words && /^(?:code|key)$|(?:^|-)(?:pass|pin|pw)$/.test(stem)
}

/**
 * Returns a warning, in model and field order, for each field that callers can read although its name looks like that of a secret. Skips
 * fields with an exposure annotation.
 */
export function findReadableSecrets(api: ApiModel): readonly Diagnostic[] {
  return api.models.flatMap((model) =>
    model.fields.filter(isReadableSecret).map(({ name }) => ({
      location: { model: model.name, field: name },
      message: 'Callers can read this field, and its name resembles that of a secret.',
      hint: 'Write "@api.hidden" or "@api.writeOnly" above it, or "@api.exposed" if callers may read it.',
    })),
  )
}

function isReadableSecret({ name, column, type, exposure, hasExplicitExposure }: FieldSpec): boolean {
  if (hasExplicitExposure || (exposure !== 'full' && exposure !== 'readOnly')) return false
  if (type !== 'String' && type !== 'Bytes' && type !== 'Json') return false
  return isSecretName(name) || isSecretName(column ?? '')
}

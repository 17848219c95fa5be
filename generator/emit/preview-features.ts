import { stringLiteral } from '../model/annotations/parse-chain.js'

const POSTGRES = ['postgresql', 'postgres']

/** Preview features that extend the allowed requests, and the databases that support them. */
const PROVIDERS: Readonly<Record<string, readonly string[]>> = {
  fullTextSearchPostgres: POSTGRES,
  relationJoins: [...POSTGRES, 'cockroachdb', 'mysql'],
}

/** Returns the enabled preview features that the database supports and that extend the allowed requests. */
export function supportedPreviewFeatures(provider: string, all: readonly string[]) {
  const names = Object.keys(PROVIDERS).filter((name) => all.includes(name) && PROVIDERS[name]?.includes(provider))
  return {
    /** A TypeScript array literal. Undefined if there are none. */
    arrayLiteral: names.length > 0 ? `[${names.map(stringLiteral).join(', ')}]` : undefined,
    /** Whether the client can load relations with joins. */
    supportsJoins: names.includes('relationJoins'),
    /** Whether the client supports full-text search. On MySQL, it always does. */
    supportsFullText: provider === 'mysql' || names.includes('fullTextSearchPostgres'),
  }
}

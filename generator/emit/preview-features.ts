import { stringLiteral } from '../model/annotations/parse-chain.js'

/** The preview features that change what callers may ask for, as far as the database has them. */
export function supportedPreviewFeatures(provider: string, all: readonly string[]) {
  const found = (known: Readonly<Record<string, readonly string[]>>) => {
    const names = Object.keys(known).filter((name) => all.includes(name) && known[name]?.includes(provider))
    return names.length > 0 && `[${names.map(stringLiteral).join(', ')}]`
  }
  const search = { fullTextSearchPostgres: ['postgresql', 'postgres'] }
  const joins = { relationJoins: ['postgresql', 'postgres', 'cockroachdb', 'mysql'] }
  return {
    restFeatures: found(search),
    rpcFeatures: found({ ...search, ...joins }),
    joinsLists: found(joins) !== false,
  }
}

import { stringLiteral } from '../model/annotations/parse-chain.js'

/** Returns the enabled preview features that the database supports and that extend the allowed requests. */
export function supportedPreviewFeatures(provider: string, all: readonly string[]) {
  const isSupported = (providersByFeature: Readonly<Record<string, readonly string[]>>) => {
    const names = Object.keys(providersByFeature).filter(
      (name) => all.includes(name) && providersByFeature[name]?.includes(provider),
    )
    return names.length > 0 && `[${names.map(stringLiteral).join(', ')}]`
  }
  const search = { fullTextSearchPostgres: ['postgresql', 'postgres'] }
  const joins = { relationJoins: ['postgresql', 'postgres', 'cockroachdb', 'mysql'] }
  return {
    restFeatures: isSupported(search),
    rpcFeatures: isSupported({ ...search, ...joins }),
    joinsLists: isSupported(joins) !== false,
  }
}

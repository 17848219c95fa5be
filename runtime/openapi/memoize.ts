/** Memoizes a function by its argument, which is held weakly. */
export function memoize<K extends object, T>(create: (of: K) => T): (key: K) => T {
  const cache = new WeakMap<K, { readonly value: T }>()
  return (of) => {
    const cached = cache.get(of) ?? { value: create(of) }
    cache.set(of, cached)
    return cached.value
  }
}

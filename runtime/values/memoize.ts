/** Memoizes a function by its argument. Does not prevent garbage collection of the argument. */
export function memoize<K extends object, T>(create: (key: K) => T): (key: K) => T {
  const cache = new WeakMap<K, { readonly value: T }>()
  return (key) => {
    const cached = cache.get(key) ?? { value: create(key) }
    cache.set(key, cached)
    return cached.value
  }
}

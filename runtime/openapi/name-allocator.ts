/** Allocates unique names by appending a number to names that are already in use. The same sequence of calls returns the same names. */
export class NameAllocator {
  readonly #taken = new Set<string>()

  /** Returns a name that has not been allocated before. */
  unique(name: string): string {
    let free = name
    let lower = name.toLowerCase()
    for (let number = 2; this.#taken.has(lower); number++) {
      free = `${name}${number}`
      lower = free.toLowerCase()
    }
    this.#taken.add(lower)
    return free
  }
}

/** Allocates the names of shared components. If a model has the same name, a number is appended. */
export class SharedNameAllocator {
  readonly #given = new Map<string, string>()
  readonly #names: NameAllocator

  /** @param names the allocator with the names of the models */
  constructor(names: NameAllocator) {
    this.#names = names
  }

  /** Returns the name of a shared component in this document, which is the same for every call. */
  get(name: string): string {
    const allocated = this.#given.get(name) ?? this.#names.unique(name)
    this.#given.set(name, allocated)
    return allocated
  }
}

/** Returns the plural of a model's name, for operation names: `Post` → `Posts`, `Category` → `Categories`. */
export function pluralize(name: string): string {
  if (/[^aeiou]y$/i.test(name)) return `${name.slice(0, -1)}ies`
  return /(s|x|z|ch|sh)$/i.test(name) ? `${name}es` : `${name}s`
}

/** Capitalizes the first letter of a name. */
export function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

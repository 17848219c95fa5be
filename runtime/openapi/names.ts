/** Gives names out once: a name that is taken gets a number. Asked in the same order, it gives the same names. */
export class NameAllocator {
  readonly #taken = new Set<string>()

  /** A name that nothing else has. */
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

/** Names of what belongs to no model. Where a model is called so, they get a number. */
export class SharedNameAllocator {
  readonly #given = new Map<string, string>()
  readonly #names: NameAllocator

  /** @param names has given the models theirs */
  constructor(names: NameAllocator) {
    this.#names = names
  }

  /** The name that one of them has in this document: always the same. */
  of(name: string): string {
    const given = this.#given.get(name) ?? this.#names.unique(name)
    this.#given.set(name, given)
    return given
  }
}

/** What a model's rows are called together, for the names of methods: `Post` → `Posts`, `Category` → `Categories`. */
export function pluralize(name: string): string {
  if (/[^aeiou]y$/i.test(name)) return `${name.slice(0, -1)}ies`
  return /(s|x|z|ch|sh)$/i.test(name) ? `${name}es` : `${name}s`
}

/** With a capital letter, as names of schemas have. */
export function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

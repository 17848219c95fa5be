import fc from 'fast-check'

import type { Field } from '../../runtime/schema/resource.js'
import type { Model, ModelRelation } from '../../runtime/schema/model.js'
import type { Arguments } from './arbitrary.js'
import { Once } from './lazy-arbitraries.js'

type Args = fc.Arbitrary<Record<string, unknown>>

// Ids of new rows.
const id = fc.integer({ min: 200, max: 220 })

/** Generates data to write, including relations, limited to what both the routes and the client accept. */
export class Data {
  readonly #args: Arguments
  readonly #once = new Once()

  constructor(args: Arguments) {
    this.#args = args
  }

  /** Returns the arguments of an operation that writes. */
  write(model: Model, operation: string): Args {
    return this.#once.of(model, operation, () => this.#write(model, operation))
  }

  #write(model: Model, operation: string): Args {
    const where = this.#args.unique(model)
    const selection = this.#args.selection(model, 1)
    switch (operation) {
      case 'create':
        return merge(fc.record({ data: this.create(model, 2) }), selection)
      case 'createMany':
        return this.#rows(model)
      case 'createManyAndReturn':
        return merge(this.#rows(model), this.#args.selection(model, 0))
      case 'update':
        return merge(fc.record({ where, data: this.update(model, 2) }), selection)
      case 'updateMany':
        return fc.record({ where: this.#args.where(model, 1), data: this.updateMany(model, true) })
      case 'updateManyAndReturn':
        return merge(
          fc.record({ where: this.#args.where(model, 1), data: this.updateMany(model, true) }),
          this.#args.selection(model, 0),
        )
      case 'upsert':
        return merge(fc.record({ where, create: this.create(model, 1), update: this.update(model, 1) }), selection)
      case 'delete':
        return merge(fc.record({ where }), this.#args.selection(model, 1))
      default:
        return fc.record({ where: this.#args.where(model, 1) })
    }
  }

  #rows(model: Model): Args {
    const data = fc.array(this.createMany(model), { minLength: 1, maxLength: 3 })
    return fc.record({ data, skipDuplicates: fc.boolean() }, { requiredKeys: ['data'] })
  }

  create(model: Model, depth: number): Args {
    return this.#once.of(model, `data to create ${depth}`, () => this.#create(model, depth))
  }

  #create(model: Model, depth: number): Args {
    const relations = depth > 0 ? this.#relations(model, false, depth - 1) : fc.constant({})
    return relations.chain((chosen) => merge(this.#scalars(model, false), fc.constant(chosen)))
  }

  createMany(model: Model): Args {
    return this.#scalars(model, true)
  }

  update(model: Model, depth: number): Args {
    return this.#once.of(model, `data to update ${depth}`, () =>
      merge(this.updateMany(model), depth > 0 ? this.#relations(model, true, depth - 1) : fc.constant({})),
    )
  }

  updateMany(model: Model, many = false): Args {
    const members: Record<string, fc.Arbitrary<unknown>> = {}
    for (const [name, field] of model.fields) {
      if (field.readOnly || field.generated || isKey(model, name)) continue
      // The unique constraint would reject several rows with one value.
      if (many && [...model.uniques.values()].some((fields) => fields.includes(name))) continue
      const value = this.#value(model, name, field)
      const set = field.type === 'Json' ? value : fc.oneof(value, fc.record({ set: value }))
      const small = fc.integer({ min: 1, max: 3 })
      const counts = field.type === 'Int' && !field.rule
      members[name] = counts ? fc.oneof(set, fc.record({ increment: small }), fc.record({ multiply: small })) : set
    }
    return fc.record(members, { requiredKeys: [] })
  }

  #scalars(model: Model, keys: boolean): Args {
    const required: Record<string, fc.Arbitrary<unknown>> = {}
    const optional: Record<string, fc.Arbitrary<unknown>> = {}
    for (const [name, field] of model.fields) {
      if (field.readOnly || field.generated || (isKey(model, name) && !keys)) continue
      const needed = !(field.optional || field.default)
      const into = needed ? required : optional
      into[name] = this.#value(model, name, field)
    }
    return merge(fc.record(required), fc.record(optional, { requiredKeys: [] }))
  }

  #value(model: Model, name: string, field: Field): fc.Arbitrary<unknown> {
    const existing = this.#args.value(model, name)
    const unique = [...model.uniques.values()].some((fields) => fields.includes(name)) && !isKey(model, name)
    const fresh = name === 'email' ? (n: number) => `new${n}@example.com` : (n: number) => `new-${n}`
    const generated = field.type === 'Int' ? id : fc.nat(9).map(fresh)
    const value =
      name === 'password'
        ? fc.constant('long enough')
        : unique
          ? fc.oneof({ weight: 5, arbitrary: generated }, { weight: 1, arbitrary: existing })
          : existing
    // A Json column has two nulls, but JSON has one.
    return field.optional && field.type !== 'Json' ? fc.oneof(value, fc.constant(null)) : value
  }

  #relations(model: Model, update: boolean, depth: number): Args {
    const members: Record<string, fc.Arbitrary<unknown>> = {}
    for (const [name, relation] of model.relations) {
      members[name] = update ? this.#updates(relation, depth) : this.#creates(relation, depth)
    }
    const names = Object.keys(members)
    if (names.length === 0) return fc.constant({})
    return fc
      .uniqueArray(fc.constantFrom(...names), { maxLength: 2 })
      .chain((chosen) => fc.record(Object.fromEntries(chosen.map((name) => [name, members[name] ?? fc.constant({})]))))
  }

  #creates({ target, many }: ModelRelation, depth: number): Args {
    const where = this.#args.unique(target)
    const create = this.create(target, depth)
    const writes: Record<string, fc.Arbitrary<unknown>> = {
      create: many ? fc.oneof(create, fc.array(create, { maxLength: 2 })) : create,
      connect: many ? fc.oneof(where, fc.array(where, { maxLength: 2 })) : where,
      connectOrCreate: fc.record({ where, create }),
    }
    return fc.constantFrom(...Object.keys(writes)).chain((key) => fc.record({ [key]: writes[key] ?? fc.constant({}) }))
  }

  #updates(relation: ModelRelation, depth: number): Args {
    const { target, many, optional } = relation
    const where = this.#args.unique(target)
    const filter = this.#args.where(target, 0)
    const create = this.create(target, depth)
    const update = this.update(target, depth)
    // Prisma itself writes other rows with these (see tests/policy/compound-ids.test.ts), so the routes reject them.
    const isCompound = (target.uniques.get(target.id) ?? []).length > 1
    const writes: Record<string, fc.Arbitrary<unknown>> = many
      ? {
          disconnect: fc.array(where, { maxLength: 2 }),
          delete: fc.oneof(where, fc.array(where, { maxLength: 1 })),
          update: fc.record({ where, data: update }),
          upsert: fc.record({ where, create, update }),
          ...(!isCompound && {
            set: fc.array(where, { maxLength: 2 }),
            updateMany: fc.record({ where: filter, data: this.updateMany(target, true) }),
            deleteMany: fc.oneof(filter, fc.array(filter, { maxLength: 2 })),
          }),
        }
      : {
          update: fc.oneof(update, fc.record({ where: filter, data: update })),
          upsert: fc.record({ create, update }),
          ...(optional && { disconnect: fc.constant(true), delete: fc.oneof(fc.constant(true), filter) }),
        }
    const one = fc
      .constantFrom(...Object.keys(writes))
      .chain((key) => fc.record({ [key]: writes[key] ?? fc.constant({}) }))
    return fc.oneof(one, this.#creates(relation, depth))
  }
}

function isKey(model: Model, field: string): boolean {
  return [...model.relations.values()].some(({ foreignKey }) => foreignKey && Object.hasOwn(foreignKey, field))
}

function merge(...parts: Args[]): Args {
  return fc.tuple(...parts).map((all) => Object.assign({}, ...all) as Record<string, unknown>)
}

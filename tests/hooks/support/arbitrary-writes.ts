import fc from 'fast-check'

import type { Row } from './dump.js'

/** A request of the RPC style. */
export interface RandomWrite {
  readonly model: string
  readonly operation: string
  readonly args: object
}

interface Relation {
  readonly to: string
  /** `own`: the row has the foreign key. `many`: the related rows have it. `table`: a join table has it. */
  readonly kind: 'own' | 'many' | 'table'
  /** Name of the relation at the other end. */
  readonly back: string
  readonly optional?: true
}

interface Model {
  readonly text: string
  readonly relations: Readonly<Record<string, Relation>>
  /** The models of rows that the database updates or deletes together with a row of this model. */
  readonly takes?: readonly string[]
}

const team = (back: string): Relation => ({ to: 'Team', kind: 'own', back })
const many = (to: string, back: string): Relation => ({ to, kind: 'many', back })
const some = (to: string, back: string): Relation => ({ to, kind: 'many', back, optional: true })

const MODELS: Readonly<Record<string, Model>> = {
  Team: {
    text: 'name',
    relations: {
      people: many('Person', 'team'),
      folders: many('Folder', 'team'),
      documents: many('Document', 'team'),
      labels: many('Label', 'team'),
    },
  },
  Person: {
    text: 'email',
    relations: { team: team('people'), comments: some('Comment', 'author'), reviews: many('Review', 'reviewer') },
    takes: ['Document', 'Comment', 'Review'],
  },
  Folder: {
    text: 'name',
    relations: { team: team('folders'), documents: some('Document', 'folder') },
    takes: ['Document'],
  },
  Document: {
    text: 'title',
    relations: {
      team: team('documents'),
      folder: { to: 'Folder', kind: 'own', back: 'documents', optional: true },
      comments: many('Comment', 'document'),
      attachments: many('Attachment', 'document'),
      labels: { to: 'Label', kind: 'table', back: 'documents', optional: true },
      reviews: many('Review', 'document'),
    },
    takes: ['Comment', 'Attachment', 'Review'],
  },
  Comment: {
    text: 'text',
    relations: {
      document: { to: 'Document', kind: 'own', back: 'comments' },
      author: { to: 'Person', kind: 'own', back: 'comments', optional: true },
    },
  },
  Attachment: { text: 'name', relations: { document: { to: 'Document', kind: 'own', back: 'attachments' } } },
  Label: {
    text: 'name',
    relations: { team: team('labels'), documents: { to: 'Document', kind: 'table', back: 'labels', optional: true } },
  },
  Review: {
    text: 'verdict',
    relations: {
      document: { to: 'Document', kind: 'own', back: 'reviews' },
      reviewer: { to: 'Person', kind: 'own', back: 'reviews' },
    },
  },
}

/** Placeholder for a new, unique text. */
const FRESH = '#fresh'

const number = fc.integer({ min: 1, max: 3 })

/**
 * Generates random writes of the workspace, nested two levels deep. Each write changes its rows, because its texts are new.
 * No nested write refers to a row that contains it.
 */
export function randomWrites(): fc.Arbitrary<RandomWrite> {
  return fc
    .tuple(
      fc.constantFrom(...Object.keys(MODELS)),
      fc.constantFrom(
        'create',
        'update',
        'update',
        'update',
        'upsert',
        'updateMany',
        'delete',
        'deleteMany',
        'createMany',
      ),
    )
    .chain(([model, operation]) =>
      argsOf(model, operation).map((args) => ({ model: model.toLowerCase(), operation, args: fresh(args) })),
    )
}

function argsOf(model: string, operation: string): fc.Arbitrary<object> {
  const [where, above] = [uniqueOf(model), [model]]
  switch (operation) {
    case 'create':
      return fc.record({ data: createOf(model, above, undefined, 2) })
    case 'createMany':
      return fc.record({ data: flatRows(model) })
    case 'update':
      return fc.record({ where, data: updateOf(model, above, undefined, 2) })
    case 'upsert':
      return fc.record({
        where,
        create: createOf(model, above, undefined, 1),
        update: updateOf(model, above, undefined, 1),
      })
    case 'delete':
      return fc.record({ where })
    case 'deleteMany':
      return fc.record({ where: rangeOf(model) })
    default:
      return fc.record({ where: rangeOf(model), data: fc.constant({ [textOf(model)]: FRESH }) })
  }
}

function textOf(model: string): string {
  return MODELS[model]?.text ?? ''
}

function relationsOf(model: string): [string, Relation][] {
  return Object.entries(MODELS[model]?.relations ?? {})
}

function uniqueOf(model: string): fc.Arbitrary<Row> {
  if (model !== 'Review') return fc.record({ id: number })
  return fc
    .tuple(number, number)
    .map(([documentId, reviewerId]) => ({ documentId_reviewerId: { documentId, reviewerId } }))
}

function rangeOf(model: string): fc.Arbitrary<Row> {
  return number.map((max) => ({ [model === 'Review' ? 'documentId' : 'id']: { lte: max } }))
}

/** Rows with foreign keys as columns. */
function flatRows(model: string, back?: string): fc.Arbitrary<object[]> {
  const keys = relationsOf(model).filter(([name, { kind }]) => kind === 'own' && name !== back)
  const row = fc.record(Object.fromEntries(keys.map(([name]) => [`${name}Id`, number])))
  return fc.array(
    row.map((values) => ({ [textOf(model)]: FRESH, ...values })),
    { minLength: 1, maxLength: 2 },
  )
}

function createOf(model: string, above: readonly string[], back: string | undefined, depth: number): fc.Arbitrary<Row> {
  const relations = relationsOf(model).filter(([name]) => name !== back)
  const required = relations.filter(([, { kind, optional }]) => kind === 'own' && !optional)
  const connected = fc.record(
    Object.fromEntries(required.map(([name]) => [name, number.map((id) => ({ connect: { id } }))])),
  )
  const nested = nestedOf(relations, above, depth, true)
  return fc.tuple(connected, nested).map(([keys, more]) => ({ [textOf(model)]: FRESH, ...more, ...keys }))
}

function updateOf(model: string, above: readonly string[], back: string | undefined, depth: number): fc.Arbitrary<Row> {
  // A review is identified by its relations: a change of them makes it another row.
  const relations = relationsOf(model).filter(
    ([name, { kind }]) => name !== back && !(model === 'Review' && kind === 'own'),
  )
  return fc
    .tuple(fc.boolean(), nestedOf(relations, above, depth, false))
    .map(([isText, nested]) => (isText ? { [textOf(model)]: FRESH, ...nested } : nested))
}

function nestedOf(
  relations: readonly [string, Relation][],
  above: readonly string[],
  depth: number,
  isNew: boolean,
): fc.Arbitrary<Row> {
  if (depth === 0) return fc.constant({})
  const open = relations.filter(([, { to }]) => !above.includes(to))
  return fc
    .subarray(open, { maxLength: Math.min(2, open.length) })
    .chain((chosen) =>
      fc.record(
        Object.fromEntries(
          chosen.map(([name, relation]) => [name, operationsOf(relation, [...above, relation.to], depth - 1, isNew)]),
        ),
      ),
    )
}

function operationsOf(relation: Relation, above: readonly string[], depth: number, isNew: boolean): fc.Arbitrary<Row> {
  const { to, kind, back, optional } = relation
  const where = uniqueOf(to)
  const create = createOf(to, above, back, depth)
  const update = updateOf(to, above, back, depth)
  const canDelete = !MODELS[to]?.takes?.some((model) => above.includes(model))
  const forNew: Record<string, fc.Arbitrary<unknown>> = {
    connect: where,
    create,
    connectOrCreate: fc.record({ where, create }),
  }
  if (kind === 'many') forNew['createMany'] = flatRows(to, back).map((data) => ({ data }))
  const ofOne = { update, upsert: fc.record({ create, update }), ...(optional && { disconnect: fc.constant(true) }) }
  const ofMany = {
    update: fc.record({ where, data: update }),
    updateMany: fc.record({ where: rangeOf(to), data: fc.constant({ [textOf(to)]: FRESH }) }),
    upsert: fc.record({ where, create, update }),
    ...(canDelete && { delete: where, deleteMany: rangeOf(to) }),
    ...(optional && { disconnect: where, set: fc.array(where, { maxLength: 2 }) }),
  }
  const all = { ...forNew, ...(!isNew && (kind === 'own' ? ofOne : ofMany)) }
  return fc
    .subarray(Object.keys(all), { minLength: 1, maxLength: kind === 'own' ? 1 : 2 })
    .chain((names) => fc.record(Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))))
}

/** Replaces each placeholder with a unique text. */
function fresh<T>(args: T): T {
  let last = 0
  return JSON.parse(JSON.stringify(args), (_, value: unknown) => (value === FRESH ? `new ${(last += 1)}` : value))
}

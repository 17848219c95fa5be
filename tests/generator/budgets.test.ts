import { beforeAll, describe, expect, it } from 'vitest'

import { changedLines, generateFrom, FORMATTED_HEAD } from '../support/generate.js'

const HEAD = FORMATTED_HEAD.replace('"./routes"', '"./routes"\n  files = ["graph", "hooks"]')

/** Returns a schema of two related models, with additions by the tests. */
function shop(added: { customer?: string; order?: string; models?: string } = {}): string {
  return `${HEAD}
model Customer {
  id      Int     @id @default(autoincrement())
  email   String  @unique
  name    String?
  orders  Order[]
  ${added.customer ?? ''}
}
model Order {
  id         Int      @id @default(autoincrement())
  placedAt   DateTime @default(now())
  customer   Customer @relation(fields: [customerId], references: [id])
  customerId Int
  ${added.order ?? ''}
}
${added.models ?? ''}
`
}

async function change(schema: string): Promise<Map<string, number>> {
  unchanged ??= generateFrom(shop())
  return changedLines((await unchanged).byPath, (await generateFrom(schema)).byPath)
}
let unchanged: ReturnType<typeof generateFrom> | undefined

function folders(changed: ReadonlyMap<string, number>): string[] {
  return [...new Set([...changed.keys()].map((file) => (file.includes('/') ? (file.split('/')[0] ?? '') : '.')))].sort()
}

/** Returns the changed files at the top level of the output folder. */
function atTop(changed: ReadonlyMap<string, number>): string[] {
  return [...changed.keys()].filter((file) => !file.includes('/'))
}

function total(changed: ReadonlyMap<string, number>): number {
  return [...changed.values()].reduce((sum, lines) => sum + lines, 0)
}

describe('changed lines in emitted files', () => {
  it.each(['nickname String?', 'loyaltyPoints BigInt @default(0)', '/// Shown beside the name.\n  signature Bytes?'])(
    '%j: changes at most 4 lines of one folder',
    async (field) => {
      const changed = await change(shop({ customer: field }))
      expect(folders(changed)).toEqual(['customer'])
      expect(total(changed)).toBeLessThanOrEqual(4)
    },
  )

  it("changes the model's folder and at most 5 lines of index.ts for the first rule", async () => {
    const changed = await change(shop({ customer: '/// @zod.max(80)\n  nickname String?' }))
    expect(folders(changed)).toEqual(['.', 'customer'])
    expect(changed.get('index.ts')).toBeLessThanOrEqual(5)
  })

  it('changes the folders of both models and at most 4 lines of graph.ts for a new relation', async () => {
    const order = 'payer Customer? @relation("Payer", fields: [payerId], references: [id])\n  payerId Int?'
    const customer = 'paid Order[] @relation("Payer")'
    const before = shop()
      .replace('orders  Order[]', 'orders  Order[] @relation("Placer")')
      .replace('@relation(fields: [customerId]', '@relation("Placer", fields: [customerId]')
    const after = shop({ order, customer })
      .replace('orders  Order[]', 'orders  Order[] @relation("Placer")')
      .replace('@relation(fields: [customerId]', '@relation("Placer", fields: [customerId]')
    const changed = changedLines((await generateFrom(before)).byPath, (await generateFrom(after)).byPath)
    expect(folders(changed)).toEqual(['.', 'customer', 'order'])
    expect(atTop(changed)).toEqual(['graph.ts'])
    expect(changed.get('graph.ts')).toBeLessThanOrEqual(4)
  })

  it('changes 1 folder and at most 4 lines of index.ts for a new model', async () => {
    for (const name of ['Coupon', 'InternationalShippingAddress']) {
      const changed = await change(shop({ models: `model ${name} {\n  id Int @id\n}` }))
      expect(folders(changed)).toHaveLength(2)
      expect(folders(changed)).toContain('.')
      expect(changed.get('index.ts')).toBeLessThanOrEqual(4)
      expect([changed.get('client.ts'), changed.get('graph.ts')]).toEqual([1, 1])
    }
  })

  it('does not depend on the order of models and schema files', async () => {
    const one = await generateFrom({
      'main.prisma': FORMATTED_HEAD,
      'a.prisma': 'model Apple {\n id Int @id\n}',
      'b.prisma': 'model Pear {\n id Int @id\n}',
    })
    const other = await generateFrom({
      'main.prisma': `model Pear {\n id Int @id\n}\n${FORMATTED_HEAD}`,
      'z.prisma': 'model Apple {\n id Int @id\n}',
    })
    expect(other.byPath).toEqual(one.byPath)
  })
})

/** Returns a schema with a model of 8 fields and 3 relations, with all operations, and its related models. */
function library(book: string): string {
  return `${FORMATTED_HEAD}
model Author {
  id    Int    @id @default(autoincrement())
  books ${book}[]
}
model Tag {
  id    Int    @id @default(autoincrement())
  books ${book}[]
}
model Review {
  id     Int  @id @default(autoincrement())
  book   ${book} @relation(fields: [bookId], references: [id])
  bookId Int
}
/// Something to read.
model ${book} {
  id        Int      @id @default(autoincrement())
  isbn      String   @unique
  title     String
  subtitle  String?
  pages     Int      @default(0)
  price     Decimal?
  createdAt DateTime @default(now())
  author    Author?  @relation(fields: [authorId], references: [id])
  authorId  Int?
  tags      Tag[]
  reviews   Review[]
}`
}

/** Returns the lines of a file, without the empty last one. */
const linesOf = (text: string) => text.trimEnd().split('\n')

/** Returns the number of lines of a relation's routes, including the comment and the empty line above. */
function relationLines(rest: string, relation: string): number {
  const lines = linesOf(rest)
  const start = lines.findIndex((line) => line.startsWith(`  // ${relation}: `))
  const end = lines.findIndex((line, index) => index > start && (line === '' || line === '}'))
  expect(start).toBeGreaterThan(0)
  return end - start + 1
}

describe.each(['Book', 'X', 'InternationalShippingAddressConfirmation'])('size of the emitted files of %s', (book) => {
  let files: ReadonlyMap<string, string>
  beforeAll(async () => {
    const { byPath } = await generateFrom(library(book))
    const modelFiles = [...byPath].filter(([, text]) => text.includes(`\n// Source: model ${book}. `))
    files = new Map(modelFiles.map(([file, text]) => [file.replace(/^.*\//, ''), text]))
  })
  const text = (file: string) => files.get(file) ?? ''

  it('emits all RPC operations in at most 90 lines', () => {
    expect(text('rpc.ts').match(/^ {2}app\./gm)).toHaveLength(19)
    expect(linesOf(text('rpc.ts')).length).toBeLessThanOrEqual(90)
  })

  it('emits at most 13 lines of rest.ts per to-one relation and 16 per to-many', () => {
    expect(relationLines(text('rest.ts'), 'author')).toBeLessThanOrEqual(13)
    expect(relationLines(text('rest.ts'), 'tags')).toBeLessThanOrEqual(16)
  })

  it('emits at most 240 lines for a model of 8 fields and 3 relations', () => {
    expect([...files.keys()].sort()).toEqual(['calls.ts', 'resource.ts', 'rest.ts', 'rpc.ts'])
    expect([...files.values()].flatMap(linesOf).length).toBeLessThanOrEqual(240)
  })

  it('emits each route as one statement of at most 5 lines that names its Prisma call', () => {
    const routes = ['rest.ts', 'rpc.ts'].flatMap((file) =>
      text(file)
        .split(/^ {2}(?=app\.)/m)
        .slice(1),
    )
    for (const route of routes) {
      const [statement = ''] = route.split(/(?<=\);)\n/)
      expect(statement.split('\n').length, statement).toBeLessThanOrEqual(5)
      if (!statement.includes('rpc.check(')) expect(statement).toMatch(/, \w*[cC]alls\.\w+\)/)
    }
  })

  it('emits each Prisma call once', () => {
    const calls = [...text('calls.ts').matchAll(/^ {2}(\w+): \(orm, args\) =>\s+orm\.\w+\.(\w+)\(args\),$/gm)]
    expect(calls).toHaveLength(17)
    for (const [, name, operation] of calls) expect(operation).toBe(name)
  })
})

describe('alignment of emitted lines', () => {
  /** Returns the lines that are emitted for the first schema and not for the second. */
  const removed = async (before: string, after: string) => {
    const [a, b] = await Promise.all([generateFrom(before), generateFrom(after)])
    return [...a.byPath].flatMap(([file, emitted]) => {
      const left = new Set(linesOf(b.byPath.get(file) ?? ''))
      return linesOf(emitted).filter((line) => !left.has(line))
    })
  }

  it.each([
    [
      'new field with a rule',
      'model Item {\n id Int @id\n}',
      'model Item {\n id Int @id\n /// @zod.min(3)\n aMuchLongerName String?\n}',
    ],
    [
      'new operations',
      '/// @api.operations(list, update)\nmodel Item {\n id Int @id\n n Int\n}',
      '/// @api.operations(list, get, update, delete)\nmodel Item {\n id Int @id\n n Int\n}',
    ],
    [
      'new relation with more methods',
      'model Item {\n id Int @id\n boxId Int\n}\nmodel Box {\n id Int @id\n}',
      'model Item {\n id Int @id\n boxId Int\n boxes Box[]\n}\nmodel Box {\n id Int @id\n items Item[]\n}',
    ],
  ])('%s: does not re-align other lines', async (_, before, after) => {
    const lines = await removed(FORMATTED_HEAD + before, FORMATTED_HEAD + after)
    // Lines that may change, because they list more: the methods of a path, imported names, operations or relations.
    const changeableLine =
      /^(\/\/ {3}[A-Z, ]+ \/\S*( \/\S+)*$|import |} from |\s+operations: |\s+(\w+: \{ )?relations: \{\})/
    expect(lines.filter((line) => !changeableLine.test(line))).toEqual([])
  })
})

describe('emitted files', () => {
  it('start with a header of generator and source, without date, path or version', async () => {
    const { byPath } = await generateFrom(shop())
    for (const [file, text] of byPath) {
      const [first, second] = text.split('\n')
      expect(first, file).toBe('// Code generated by routewright. DO NOT EDIT.')
      expect(second, file).toMatch(/^\/\/ Source: .+\. Regenerate with `prisma generate`\.$/)
      expect(text, file).not.toMatch(/@ts-nocheck|@ts-ignore|\bas any\b|\d+\.\d+\.\d+|\/tmp\/|\/home\/|20\d\d-/)
    }
  })
})

import { describe, expect, it } from 'vitest'

import { FORMATTED_HEAD, generateFrom, SCHEMA_HEAD } from '../support/generate.js'

const withWarnings = (head: string) =>
  head.replace('"./routes"', '"./routes"\n  unknownZod = "warn"').replace('sqlite', 'postgresql')
const WARN = withWarnings(SCHEMA_HEAD)
const FORMATTED_WARN = withWarnings(FORMATTED_HEAD)

/** Returns the rules of a model by field and the messages, under `unknownZod = "warn"`. */
async function generateRules(body: string, head = '', warn = WARN) {
  const { byPath, notes } = await generateFrom(`${warn}${head}model User {\n  id Int @id\n${body}\n}\n${REST}`)
  const resource = byPath.get('user/resource.ts') ?? ''
  const fields = [...resource.matchAll(/^ {4}(\w+): (\{.*\}|\{\n[^]*?\n {4}\}),?$/gm)]
  const rules = fields.flatMap(([, name, text = '']) => {
    const rule = /rule: ([^]*?),?\s*\}$/.exec(text)?.[1]
    return rule === undefined ? [] : [[name, rule.replace(/\s+(?=\.\w)/g, '').replace(/\s+/g, ' ')]]
  })
  const messages = notes.map((note) => note.replace(/^\S*schema\.prisma:\d+: model User(, )?/, ''))
  return { rules: Object.fromEntries(rules) as Record<string, string>, messages }
}

const REST = 'model Other {\n  id Int @id\n}\nenum Role {\n  A\n  B\n}'

// prettier-ignore
const SUPPORTED = [
  ['String', '@zod.string.min(3, { message: "min error" }).max(10)', 'z.string().check(z.minLength(3, { message: "min error" }), z.maxLength(10))'],
  ['String', '@zod.string({ invalid_type_error: "it\'s no (text", required_error: "say it" }).cuid()', 'z.cuid()'],
  ['String', 'A text. @zod.string().email("no e-mail")', 'z.email("no e-mail")'],
  ['String', '@zod .email()', 'z.email()'],
  ['String', '@zod.isoDate()', 'z.string().check(z.iso.date())'],
  ['String', '@zod.date()', 'z.string().check(z.iso.date())'],
  ['String', '@zod.string.noDefault().min(1)', 'z.string().check(z.minLength(1))'],
  ['String?', '@zod.string.regex(/^[(\'"]$/, { message: "a bracket" })', 'z.string().check(z.regex(/^[(\'"]$/, { message: "a bracket" }))'],
  ['Int', '@zod.number.int({ message: "error" }).gt(5)', 'z.int().check(z.int({ message: "error" }), z.gt(5))'],
  ['Int', '@zod.number.int().gt(5)', 'z.int().check(z.gt(5))'],
  ['Float', '@zod.number.lt(10).gt(5)', 'z.number().check(z.lt(10), z.gt(5))'],
  ['Decimal', '@zod.number.positive()', 'z.coerce.number().check(z.positive())'],
  ['BigInt', '@zod.bigint.lt(5n, { message: "lt error" }).gt(1n)', 'z.bigint().check(z.lt(5n, { message: "lt error" }), z.gt(1n))'],
  ['DateTime', "@zod.date.min(new Date('2020-01-01'))", 'z.date().check(z.gte(new Date("2020-01-01")))'],
  ['String[]', '@zod.string.array(.length(2, { message: "two" }).nonempty())', 'z.array(z.string()).check(z.length(2, { message: "two" }), z.minLength(1))'],
  ['Role[]', '@zod.enum.array(.min(1))', 'z.array(z.enum(["A", "B"])).check(z.minLength(1))'],
  ['Int[]', '@zod.number().array().max(3)', 'z.array(z.int()).check(z.maxLength(3))'],
  ['Int[]', '@zod.array(.max(3))', 'z.array(z.int()).check(z.maxLength(3))'],
  ['Int[]', '@zod.max(3)', 'z.array(z.int()).check(z.maxLength(3))'],
] as const

const SAYING_NOTHING = [
  ['Int', '@zod.number.int()'],
  ['String', '@zod.string({ description: "a name" })'],
  ['DateTime', '@zod.date({ invalid_type_error: "wrong date type" })'],
  ['String[]', '@zod.string'],
  ['Json', '@zod.json()'],
  ['Boolean', '@zod.boolean()'],
] as const

const FOR_OTHERS = 'is for another generator and has no effect here. It is ignored, so nothing is checked.'

// prettier-ignore
const FOREIGN = [
  ['String', "@zod.custom.use(z.string().refine((val) => isBIC(val), { message: 'BIC (is) not valid' }))", `"@zod.custom.use(…)" ${FOR_OTHERS}`],
  ['String?', '@zod.import(["import { f } from \'p\'"]).custom.use(z.string().refine((v) => f(v)))', `"@zod.import(…).custom.use(…)" ${FOR_OTHERS}`],
  ['Json', '@zod.custom({ "title": "User", "on": true })', `"@zod.custom(…)" ${FOR_OTHERS}`],
  ['String', '@zod.email().or(z.literal(""))', `"@zod.email().or(…)" ${FOR_OTHERS}`],
  ['String', '@zod.enum(["admin", "user"])', `"@zod.enum(…)" ${FOR_OTHERS}`],
  ['Role', '@zod.enum(["A"])', `"@zod.enum(…)" ${FOR_OTHERS}`],
  ['DateTime', '@zod.date({ message: "no", coerce: true })', `"@zod.date(…)" ${FOR_OTHERS}`],
  ['String', '@zod.catch("fallback").min(3)', `"@zod.catch(…).min(…)" ${FOR_OTHERS}`],
  ['String[]', '@zod.custom.use(z.string()).array(.min(1))', `"@zod.custom.use(…).array(…)" ${FOR_OTHERS}`],
  ['String[]', '@zod.array(z.string().min(3)).max(3)', /^"@zod" cannot be parsed: expected a string.* It is ignored, so nothing is checked\.$/],
  ['String', '@zod.min(LENGTH, `so ${long})`)', /^"@zod" cannot be parsed: expected a string.* It is ignored, so nothing is checked\.$/],
  ['String[]', '@zod.string.min(3)', '"@zod.string.min(…)" checks the elements of a list, but rules apply to the list itself. It is ignored, so the elements are not checked.'],
  ['String[]', '@zod.string.min(3).array(.max(3))', /^"@zod\.string\.min\(…\)\.array\(…\)" checks the elements of a list/],
  ['Int', '@zod.string.min(3)', '"@zod.string.min(…)" does not match the field type Int. It is ignored, so nothing is checked.'],
  ['String?', '@zod.custom.omit([model, "input"])', '"@zod.custom.omit(…)" is for another generator and has no effect here. It is ignored, so the field remains exposed.'],
] as const

const fields = (table: readonly (readonly [string, string, ...unknown[]])[]) =>
  table.map(([type, comment], index) => `  f${index} ${type} /// ${comment}`).join('\n')

describe('@zod comments of other generators with unknownZod', () => {
  it('become rules if they have a meaning here', async () => {
    expect(await generateRules(fields(SUPPORTED), '', FORMATTED_WARN)).toEqual({
      rules: Object.fromEntries(SUPPORTED.map(([, , rule], index) => [`f${index}`, rule])),
      messages: [],
    })
  })

  it('emit no rule if they only repeat the type', async () => {
    expect(await generateRules(fields(SAYING_NOTHING))).toEqual({ rules: {}, messages: [] })
  })

  it('are omitted with a note if they have no meaning here', async () => {
    const { rules, messages } = await generateRules(
      `${fields(FOREIGN)}\n  /// @zod.custom.use(z.any())\n  g String /// @zod.min(1)`,
    )
    expect(rules).toEqual({ g: 'z.string().check(z.minLength(1))' })
    expect(messages.map((line) => line.replace(/^field \w+: /, ''))).toEqual([
      ...FOREIGN.map(([, , message]) => (typeof message === 'string' ? message : expect.stringMatching(message))),
      `"@zod.custom.use(…)" ${FOR_OTHERS}`,
    ])
  })

  it('keep the known checks of a chain and note the omitted ones', async () => {
    const { rules, messages } = await generateRules(
      '  a String /// @zod.min(1).refine((v) => v !== ")", { message: "no" }).max(9).describe("A name.")\n' +
        '  b String? /// @zod.url().nullish()\n' +
        '  c String /// @zod.brand<"UserId">().cuid()\n' +
        '  d Int /// @zod.coerce().min(1)',
    )
    expect(rules).toEqual({
      a: 'z.string().check(z.minLength(1), z.maxLength(9))',
      b: 'z.url()',
      c: 'z.cuid()',
      d: 'z.int().check(z.gte(1))',
    })
    const rest = 'is for another generator and has no effect here. It is ignored. The other checks apply.'
    expect(messages).toEqual([
      `field a: "refine" and "describe" of "@zod.min(…).refine(…).max(…).describe(…)" ${rest}`,
      `field b: "nullish" of "@zod.url().nullish()" ${rest}`,
      `field c: "brand" of "@zod.brand().cuid()" ${rest}`,
      `field d: "coerce" of "@zod.coerce().min(…)" ${rest}`,
    ])
  })

  it('are omitted with a note on models and relations', async () => {
    const head =
      '/// Someone. @zod.import(["import { f } from "../../f";"]).error({ required_error: "e" }).refine((data) => { return true }, { message: "e" }).strict()\n'
    const body =
      '  friends User[] @relation("a") /// @zod.object.array(.min(1))\n' +
      '  friendOf User[] @relation("a") /// @zod.array(.min(1))'
    const { messages } = await generateRules(body, head)
    expect(messages.map((line) => line.replace(/ is for another generator.*$/, ''))).toEqual([
      ': "@zod.import(…).error(…).refine(…).strict()"',
      'field friends: "@zod.object.array(…)"',
      'field friendOf: "@zod.array(…)"',
    ])
  })

  it('do not hide an @api annotation in the same comment', async () => {
    const { byPath, notes } = await generateFrom(
      `${WARN}model User {\n  id Int @id\n  /// @zod.custom.use(z.string()\n  /// @api.hidden\n  a String?\n  /// @zod.custom.use(f( // @api.hidden\n  /// ))\n  b String?\n}`,
    )
    expect(byPath.get('user/resource.ts')).toMatch(/a: \{[^}]*hidden: true/)
    expect(byPath.get('user/resource.ts')).toMatch(/b: \{[^}]*hidden: true/)
    expect(notes).toHaveLength(2)
  })

  it('are removed from the documentation', async () => {
    const head = WARN.replace('"./routes"', '"./routes"\n  files = ["descriptions"]')
    const { byPath } = await generateFrom(
      `${head}model User {\n  id Int @id\n  /// The bank. @zod.custom.use(z.string().refine((v) => isBIC(v))) It is ours.\n  bic String\n}`,
    )
    expect(byPath.get('descriptions.ts')).toContain('The bank. It is ours.')
    expect(byPath.get('descriptions.ts')).not.toContain('isBIC')
    expect(byPath.get('user/resource.ts')).not.toContain('isBIC')
  })

  it('are errors without the option', async () => {
    const schema = `${SCHEMA_HEAD}/// @zod.import(["import { f } from 'p'"])\nmodel User {\n  id Int @id\n  /// @zod.custom.use(z.string())\n  bic String\n  name String /// @zod.custom.omit(["input"])\n  age Int /// @zod.string.min(3)\n  tag String /// @zod.min(MIN)\n}`
    const error: unknown = await generateFrom(schema).catch((thrown: unknown) => thrown)
    const lines = (error instanceof Error ? error.message : '').split('\n')
    const option = 'or set unknownZod = "warn" in the generator block to ignore it.'
    const rule = 'Write a chain of zod checks with literal arguments, such as "@zod.min(1).max(200)", '
    const line = SCHEMA_HEAD.split('\n').length
    expect(lines.map((each) => each.replace(/\S*schema\.prisma/, 'schema.prisma'))).toEqual([
      `routewright: schema.prisma:${line + 1}: model User: "@zod.import(…)" is for another generator and has no effect here. Write rules on scalar fields, ${option}`,
      `routewright: schema.prisma:${line + 4}: model User, field bic: "@zod.custom.use(…)" is for another generator and has no effect here. ${rule}${option}`,
      `routewright: schema.prisma:${line + 5}: model User, field name: "@zod.custom.omit(…)" is for another generator and has no effect here. To hide a field, write "@api.hidden", ${option}`,
      `routewright: schema.prisma:${line + 6}: model User, field age: "@zod.string.min(…)" does not match the field type Int. Remove the type, ${option}`,
      expect.stringMatching(
        /field tag: "@zod" cannot be parsed: expected a string.*, found "MIN\)"\. Write a chain .* or set unknownZod/,
      ),
    ])
  })

  it.each([
    '@zod.emial()',
    '@zod.min("3")',
    '@zod.min(1',
    '@zod.min.max(3)',
    '@zod.email.min(3)',
    '@zod.min(1).string',
    '@zod.regex(/(/)',
  ])('%s: stays an error with unknownZod = "warn"', async (comment) => {
    await expect(generateRules(`  f String /// ${comment}`)).rejects.toThrow(/field f: "@zod/)
  })

  it('cause a note with file and line', async () => {
    const { notes } = await generateFrom({
      'a.prisma': WARN,
      'users/user.prisma': 'model User {\n  id Int @id\n\n  name String /// @zod.describe("x")\n}',
    })
    expect(notes).toEqual([
      expect.stringMatching(/users\/user\.prisma:4: model User, field name: "@zod\.describe\(…\)" is for another/),
    ])
  })
})

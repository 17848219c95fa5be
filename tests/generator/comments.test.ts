import { describe, expect, it } from 'vitest'

import { parseAnnotations } from '../../generator/model/annotations/read-annotations.js'

function read(comment: string, target: Parameters<typeof parseAnnotations>[1] = 'field') {
  const problems: string[] = []
  const annotations = parseAnnotations(comment, target, ({ message, hint }) => problems.push(`${message} ${hint}`))
  return { ...annotations, problems }
}

describe('parseAnnotations', () => {
  it('returns a comment without annotations as documentation', () => {
    expect(read('Who wrote it.\nOr someone@api.example.com, see @apidoc and @zodiac.')).toEqual({
      text: 'Who wrote it.\nOr someone@api.example.com, see @apidoc and @zodiac.',
      exposure: 'full',
      serverSet: false,
      hasExplicitExposure: false,
      accepted: [],
      operations: undefined,
      chains: [],
      problems: [],
    })
    expect(parseAnnotations(undefined, 'field', () => expect.unreachable()).text).toBe('')
  })

  it.each(['hidden', 'readOnly', 'writeOnly'] as const)('@api.%s: sets the exposure of a field', (word) => {
    const { exposure, text, problems } = read(`Before @api.${word} after.`)
    expect({ exposure, text, problems }).toEqual({ exposure: word, text: 'Before after.', problems: [] })
  })

  it('marks the exposure of @api.exposed as deliberate', () => {
    expect(read('Shown. @api.exposed')).toMatchObject({ exposure: 'full', hasExplicitExposure: true, text: 'Shown.' })
    expect(read('@api.readOnly').hasExplicitExposure).toBe(true)
  })

  it.each([
    ['@api.nullable', true],
    ['@api.nonNull', false],
  ])('%s: sets nullable', (word, nullable) => {
    for (const target of ['model', 'relation'] as const) {
      const comment = read(`Before ${word} after. @api.readOnly`, target)
      expect(comment).toMatchObject({ nullable, text: 'Before after.', exposure: 'readOnly', problems: [] })
    }
  })

  it.each([
    ['@api.serverSet', 'readOnly'],
    ['@api.readOnly @api.serverSet', 'readOnly'],
    ['@api.serverSet @api.exposed', 'readOnly'],
    ['@api.hidden @api.serverSet', 'hidden'],
  ])('%s: sets serverSet and the exposure %s', (comment, exposure) => {
    expect(read(`The clinic. ${comment}`)).toMatchObject({
      text: 'The clinic.',
      serverSet: true,
      exposure,
      problems: [],
    })
  })

  it.each<[string, 'field' | 'model' | 'relation' | 'enum', string]>([
    ['@api.serverSet @api.writeOnly', 'field', '"@api.writeOnly" and "@api.serverSet" cannot be combined.'],
    ['@api.serverSet(create)', 'field', '"@api.serverSet" takes no arguments.'],
    ['@serverSet', 'field', 'Write "@api.serverSet".'],
    ['@api.serverset', 'field', 'Did you mean "serverSet"?'],
    ['@api.serverSet', 'model', '"@api.serverSet" is not allowed on a model.'],
    ['@api.serverSet', 'relation', '"@api.serverSet" is not allowed on a relation.'],
    ['@api.serverSet', 'enum', '"@api.serverSet" is not allowed on an enum.'],
  ])('%s on a %s: reports an error', (comment, target, message) => {
    expect(read(comment, target).problems).toEqual([expect.stringContaining(message)])
  })

  it('returns the operations of @api.operations in a fixed order', () => {
    const { operations, text } = read('A log.\n@api.operations(get,\n  list)\nMore.', 'model')
    expect(operations).toEqual(['list', 'get'])
    expect(text).toBe('A log.\n\nMore.')
  })

  it('parses literals of every kind in @zod', () => {
    const { chains, problems, text } = read(
      String.raw`@zod.min(1).max(2e3).regex(/[)\]/"]+\//iu, 'it\'s "so"').in([1, -2.5, 10n, null, true,], { message: "a)b", }).from(new Date("2020-01-01")) and on`,
    )
    expect(problems).toEqual([])
    expect(chains[0]?.map((call) => [call.name, ...call.args.map((arg) => arg.source)])).toEqual([
      ['min', '1'],
      ['max', '2e3'],
      ['regex', String.raw`/[)\]/"]+\//iu`, String.raw`"it's \"so\""`],
      ['in', '[1, -2.5, 10n, null, true]', '{ "message": "a)b" }'],
      ['from', 'new Date("2020-01-01")'],
    ])
    expect(text).toBe('and on')
  })

  it.each(['(@api.hidden)', 'Do not show,@api.hidden', 'x: "@api.hidden"'])(
    '%s: recognizes the annotation',
    (comment) => {
      expect(read(comment).exposure).toBe('hidden')
    },
  )

  it('ends a @zod chain at the end of the sentence', () => {
    const { chains, text, problems } = read('@zod.min(8). At least eight.')
    expect([chains[0]?.length, text, problems]).toEqual([1, '. At least eight.', []])
  })

  it('returns the reason of @api.accept outside of the documentation', () => {
    const comment = 'Shown. @api.accept("nobody (see #12) reads \\"it\\"") Still shown. @api.hidden'
    expect(read(comment)).toMatchObject({
      text: 'Shown. Still shown.',
      exposure: 'hidden',
      accepted: ['nobody (see #12) reads "it"'],
      problems: [],
    })
    for (const broken of [
      '@api.accept',
      '@api.accept()',
      '@api.accept("")',
      "@api.accept('why')",
      '@api.accept(why)',
    ]) {
      expect(read(broken).problems.length, broken).toBeGreaterThan(0)
      expect(read(broken).accepted).toEqual([])
    }
  })

  it.each([
    [
      '@api.secret',
      'field',
      '"@api.secret" is not allowed on a field. Available: hidden, readOnly, writeOnly, exposed, serverSet, version, accept.',
    ],
    [
      '@api.expose',
      'field',
      'Did you mean "exposed"? Available: hidden, readOnly, writeOnly, exposed, serverSet, version, accept.',
    ],
    [
      '@api.exposed',
      'model',
      '"@api.exposed" is not allowed on a model. Available: hidden, readOnly, operations, nullable, nonNull, accept.',
    ],
    ['@api.nullable', 'field', '"@api.nullable" is not allowed on a field.'],
    ['@api.nonNull', 'enum', '"@api.nonNull" is not allowed on an enum.'],
    ['@api.nonnull', 'model', '"@api.nonnull" is not allowed on a model. Did you mean "nonNull"?'],
    ['@api.nullable(true)', 'relation', '"@api.nullable" takes no arguments.'],
    ['@api.nullable @api.nonNull', 'model', '"@api.nullable" and "@api.nonNull" cannot be combined.'],
    ['@api.exposed', 'relation', '"@api.exposed" is not allowed on a relation.'],
    ['@api.exposed()', 'field', '"@api.exposed" takes no arguments.'],
    ['@api.exposed @api.hidden', 'field', '"@api.exposed" and "@api.hidden" cannot be combined.'],
    ['@api.readonly', 'field', '"@api.readonly" is not allowed on a field. Did you mean "readOnly"?'],
    ['@API.hidden', 'field', '"@API" must be lowercase. Write "@api".'],
    ['@Zod.min(1)', 'field', '"@Zod" must be lowercase. Write "@zod".'],
    ['@hidden', 'model', '"@hidden" is not an annotation and has no effect. Write "@api.hidden".'],
    ['@readonly', 'field', 'Write "@api.readOnly".'],
    ['@api', 'field', '"@api" must be followed by the name of an annotation.'],
    [
      '@api.writeOnly',
      'relation',
      '"@api.writeOnly" is not allowed on a relation. Available: hidden, readOnly, nullable, nonNull, accept.',
    ],
    ['@api.hidden', 'enum', '"@api.hidden" is not allowed on an enum. Available: accept.'],
    ['@api.hidden(true)', 'field', '"@api.hidden" takes no arguments.'],
    ['@api.hidden @api.readOnly', 'field', '"@api.hidden" and "@api.readOnly" cannot be combined.'],
    ['@api.operations', 'model', '"@api.operations" must list at least one operation.'],
    ['@api.operations()', 'model', '"@api.operations" must list at least one operation.'],
    ['@api.operations(list, upset)', 'model', 'unknown operation "upset" in "@api.operations".'],
    ['@zod', 'field', '"@zod" must be followed by a rule.'],
    ['@zod.min', 'field', '"@zod" cannot be parsed: expected "(" after "min"'],
    ['@zod.min(1', 'field', 'expected "," or ")", found the end of the comment'],
    ['@zod.refine((v) => true)', 'field', '"@zod.refine(…)" is for another generator and has no effect here.'],
    ['@zod.min(process.exit())', 'field', '"@zod" cannot be parsed: expected a string'],
    ['@zod.regex(/(/)', 'field', 'Invalid regular expression'],
    ['@zod.min(new Date("no day"))', 'field', 'expected one date'],
    ['@zod.min(1)', 'model', '"@zod" is not allowed on a model. Write it on a scalar field.'],
    ['@zod.min(1)', 'relation', '"@zod" is not allowed on a relation.'],
  ] as const)('%s on a %s: reports a problem', (comment, target, message) => {
    expect(read(comment, target).problems.join('\n')).toContain(message)
  })
})

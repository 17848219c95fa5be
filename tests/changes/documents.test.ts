import { idempotency } from '@routewright/runtime/idempotency'
import { openApi } from '@routewright/runtime/openapi'
import { describe, expect, it } from 'vitest'

import { RestApiHandler, RPCApiHandler } from '../../fixtures/blog/expected/index.js'
import { compareSummaries } from '../../generator/changes/documents/compare-documents.js'
import { summarizeDocument } from '../../generator/changes/documents/document-summary.js'
import { SCHEMA_HEAD } from '../support/generate.js'
import { repositoryWith } from './support/repository.js'

const endpoint = 'https://example.com'

interface Describing {
  fetch(request: Request, options: object): Promise<Response>
}

async function documentOf(handler: unknown): Promise<unknown> {
  const response = await (handler as Describing).fetch(new Request(`${endpoint}/openapi.json`), { getOrm: () => ({}) })
  return await response.json()
}

const rest = (options: object = {}) => documentOf(RestApiHandler({ endpoint, openapi: openApi(), ...options }))
const rpc = (options: object = {}) => documentOf(RPCApiHandler({ openapi: openApi(), ...options }))

/** A schema whose generator block has documents. */
const USER_SCHEMA =
  SCHEMA_HEAD.replace('"./routes"', '"./routes"\n  openapi = "./api.ts"') + 'model User {\n  id Int @id\n}\n'

/** An unchanged schema. */
const NO_EFFECTS = {
  renamedModels: new Map<string, string>(),
  changesOperation: () => false,
  isEmitted: () => true,
  rowArguments: () => new Set<string>(),
  changesId: () => false,
}

const withKeys = (document: unknown) => document

/** Returns a document without writes, as of a handler whose models are all read-only. */
function withoutWrites(document: unknown): unknown {
  const { paths, components } = Object(document)
  const reads = Object.entries<object>(paths).map(([path, { get }]: [string, { get?: unknown }]) => [
    path,
    get && { get },
  ])
  const { idempotencyKey: _optional, requiredIdempotencyKey: _required, ...parameters } = components.parameters
  return {
    ...Object(document),
    paths: Object.fromEntries(reads.filter(([, item]) => item)),
    components: { ...components, parameters },
  }
}

/** Returns a document in which the schema of a model has a different name. */
function rename(document: unknown): unknown {
  const { components } = Object(document)
  const { Post: Article, ...schemas } = components.schemas
  return { ...Object(document), components: { ...components, schemas: { ...schemas, Article } } }
}

async function changes(before: Promise<unknown>, after: Promise<unknown>) {
  const found = compareSummaries(summarizeDocument(await before), summarizeDocument(await after), NO_EFFECTS)
  return found.map(({ kind, code, model, detail }) => [kind, code, model, detail])
}

describe('compareSummaries', () => {
  it('returns no findings for equal documents', async () => {
    expect(await changes(rest(), rest())).toEqual([])
    expect(await changes(rpc(), rpc())).toEqual([])
  })

  it('reports a changed path per mapped model and removed endpoints of unmapped models', async () => {
    const names = { modelNameMapping: { Post: 'posts', User: 'user' } }
    const found = await changes(rest(), rest(names))
    expect(found.filter(([, code]) => code === 'path-changed')).toEqual([
      ['breaking', 'path-changed', 'Post', '/post -> /posts'],
    ])
    expect(found).toContainEqual(['breaking', 'endpoint-removed', 'Tag', 'listTags'])
    expect(await changes(rest(names), rest())).toContainEqual(['exposure', 'endpoint-added', 'Tag', 'listTags'])
  })

  it('reports a changed externalIdMapping as breaking', async () => {
    const found = await changes(rest(), rest({ externalIdMapping: { Post: 'slug' } }))
    expect(found).toEqual([['breaking', 'id-mapped', 'Post', 'IntFilter -> StringFilter']])
  })

  it('reports the changed path of a single operation, such as a custom route', () => {
    const summarize = (path: string) =>
      summarizeDocument({ paths: { [path]: { get: { operationId: 'summaryReports', tags: ['reports'] } } } })
    const [finding, ...others] = compareSummaries(
      summarize('/reports/summary'),
      summarize('/reports/overview'),
      NO_EFFECTS,
    )
    expect(others).toEqual([])
    expect(finding).toMatchObject({ kind: 'breaking', code: 'path-changed', model: 'reports' })
    expect(finding?.sentence).toContain('`/reports/overview` instead of `/reports/summary`')
  })

  it('reads the id filters and limits of documents in the previous form', () => {
    const schema = { $ref: '#/components/schemas/IntFilter' }
    const list = { operationId: 'listPosts', tags: ['Post'], parameters: [{ name: 'filter[id]', in: 'query', schema }] }
    const { ids, limits } = summarizeDocument({
      paths: { '/post': { get: list } },
      components: { responses: { 400: { description: 'Limits:\n\n- at most 12 levels of nesting\n' } } },
    })
    expect([...ids, ...limits]).toEqual([
      ['Post', 'IntFilter'],
      ['levels of nesting', 12],
    ])
  })

  it('reports changed defaults of pages as breaking', async () => {
    const found = await changes(rest(), rest({ pageSize: 5, total: 'none' }))
    expect(found).toEqual([
      ['breaking', 'default-changed', undefined, 'page[limit] 100 -> 5'],
      ['breaking', 'default-changed', undefined, 'page[total] exact -> none'],
    ])
    expect(await changes(rest({ pageSize: 5 }), rest({ pageSize: Infinity, maxPageSize: Infinity }))).toContainEqual([
      'breaking',
      'default-changed',
      undefined,
      'page[limit] 5 -> unlimited',
    ])
  })

  it('reports a renamed operation with the same path as harmless', () => {
    const summarize = (operationId: string) =>
      summarizeDocument({ paths: { '/loan/{id}/fine': { get: { operationId, tags: ['Loan'] } } } })
    expect(compareSummaries(summarize('fineOfLoan'), summarize('fineLoan'), NO_EFFECTS)).toMatchObject([
      { kind: 'harmless', code: 'operation-renamed', model: 'Loan', detail: 'fineOfLoan -> fineLoan' },
    ])
    const model = (name: string) =>
      summarizeDocument({ paths: { '/loan': { get: { operationId: `list${name}`, tags: [name] } } } })
    const found = compareSummaries(model('Loan'), model('Fine'), NO_EFFECTS)
    expect(found.map(({ code }) => code)).toEqual(['endpoint-removed', 'endpoint-added'])
  })

  it('reports lowered limits as breaking and raised limits as loosened', async () => {
    const small = { maxPageSize: 200 }
    expect(await changes(rest(), rest(small))).toEqual([
      ['breaking', 'limit-lowered', undefined, 'page[limit] 1000 -> 200'],
    ])
    expect(await changes(rest(small), rest())).toEqual([
      ['loosened', 'limit-raised', undefined, 'page[limit] 200 -> 1000'],
    ])
    const found = await changes(rpc(), rpc({ limits: { rows: 500, includeDepth: 9 } }))
    expect(found).toContainEqual(['breaking', 'limit-lowered', undefined, 'take 10000 -> 500'])
    expect(found).toContainEqual(['loosened', 'limit-raised', undefined, 'levels of included relations 5 -> 9'])
  })

  describe.each([
    ['rest', rest],
    ['rpc', rpc],
  ] as const)('handler options: %s', (style, documentWith) => {
    const keys = (options: object = {}) => ({
      idempotency: idempotency({ model: 'key', scope: () => 'all', ...options }),
    })
    const computed = { computed: { Post: ['label'] } }

    it.each([
      ['an added computed field', {}, computed, ['exposure', 'computed-added', 'Post', style]],
      ['a removed computed field', computed, {}, ['breaking', 'computed-removed', 'Post', style]],
      ['new idempotency keys', {}, keys(), ['loosened', 'idempotency-added', undefined, style]],
      ['removed keys', keys(), {}, ['breaking', 'idempotency-removed', undefined, style]],
      ['removed required keys', keys({ required: true }), {}, ['breaking', 'idempotency-removed', undefined, style]],
      ['new required keys', {}, keys({ required: true }), ['breaking', 'idempotency-required', undefined, style]],
      [
        'keys that are now required',
        keys(),
        keys({ required: true }),
        ['breaking', 'idempotency-required', undefined, style],
      ],
      [
        'keys that are no longer required',
        keys({ required: true }),
        keys(),
        ['loosened', 'idempotency-optional', undefined, style],
      ],
    ])('reports %s', async (_name, before, after, finding) => {
      expect(await changes(documentWith(before), documentWith(after))).toEqual([finding])
    })

    const required = keys({ required: true })

    it.each([
      ['removed writes with keys', keys(), withKeys, withoutWrites],
      ['removed writes with required keys', required, withKeys, withoutWrites],
      ['added writes with required keys', required, withoutWrites, withKeys],
    ])('reports no change of keys for %s', async (_name, options, before, after) => {
      const document = await documentWith(options)
      const found = await changes(Promise.resolve(before(document)), Promise.resolve(after(document)))
      expect(found.filter(([, code]) => code?.startsWith('idempotency'))).toEqual([])
    })

    it('names the new name of a renamed model whose computed field is removed', async () => {
      const [before, after] = [await documentWith(computed), rename(await documentWith())]
      const effects = { ...NO_EFFECTS, renamedModels: new Map([['Post', 'Article']]) }
      const found = compareSummaries(summarizeDocument(before), summarizeDocument(after), effects)
      expect(found.filter(({ code }) => code.startsWith('computed'))).toMatchObject([
        { code: 'computed-removed', model: 'Article', member: 'label' },
      ])
    })

    it('reports no change for a computed field that becomes a column', async () => {
      const document = await documentWith(computed)
      const column = JSON.parse(JSON.stringify(document).replaceAll('Computed on every read.', ''))
      expect(await changes(Promise.resolve(document), Promise.resolve(column))).toEqual([])
      expect(await changes(Promise.resolve(column), Promise.resolve(document))).toEqual([])
    })

    it('names the style by the content of responses', async () => {
      const describing = (document: unknown) => ({
        ...Object(document),
        info: { title: 'Blog', version: '1', description: 'See also application/vnd.api+json.' },
      })
      const [before, after] = [await documentWith(), describing(await documentWith(computed))]
      expect(await changes(Promise.resolve(before), Promise.resolve(after))).toEqual([
        ['exposure', 'computed-added', 'Post', style],
      ])
    })

    it('names the model and the computed field', async () => {
      const [before, after] = [await documentWith(), await documentWith(computed)]
      const [finding] = compareSummaries(summarizeDocument(before), summarizeDocument(after), NO_EFFECTS)
      expect(finding).toMatchObject({ model: 'Post', member: 'label' })
      expect(finding?.sentence).toContain(`\`Post.label\``)
    })
  })

  it('compares the committed documents of both commits', async () => {
    const text = async (document: Promise<unknown>) => JSON.stringify(await document)
    const repository = repositoryWith({
      'schema.prisma': USER_SCHEMA,
      'openapi/rest.openapi.json': await text(rest()),
      'openapi/broken.openapi.json': '{ "openapi": "3.1.1", <<<<<<<',
    })
    repository.git('checkout', '-q', '-b', 'feature')
    repository.commit({ 'openapi/rest.openapi.json': await text(rest({ maxPageSize: 200 })) })
    const { code, out, error } = await repository.run('changes', '--fail-on', 'breaking')
    expect(code).toBe(1)
    expect(error).not.toContain('@api.accept')
    expect(out).toContain(
      '`page[limit]` may be at most 200 instead of 1000: requests that exceed it are rejected (400).',
    )
    expect(out).toContain('    openapi/rest.openapi.json [limit-lowered page[limit] 1000 -> 200]\n')
    repository.write({ 'routewright.changes': 'limit-lowered page[limit] 1000 -> 200: nobody asks for more\n' })
    expect((await repository.run('changes', '--fail-on', 'breaking')).code).toBe(0)
  })

  describe('other differences of a document', () => {
    /** Returns the ids in the report of a change to the document and the schema. */
    async function findIds(before: unknown, after: unknown, newSchema = USER_SCHEMA) {
      const file = 'openapi/rest.openapi.json'
      const repository = repositoryWith({ 'schema.prisma': USER_SCHEMA, [file]: JSON.stringify(before) })
      repository.write({ 'schema.prisma': newSchema, [file]: JSON.stringify(after) })
      const { changes: found } = JSON.parse((await repository.run('changes', 'HEAD', '--format', 'json')).out)
      return (found as { kind: string; id: string; sentence: string }[]).map((each) => [
        each.kind,
        each.id,
        each.sentence,
      ])
    }

    const OTHER = (parts: string) => [
      'other',
      'document-changed rest.openapi.json',
      `\`rest.openapi.json\` differs in ways that this report does not classify: ${parts}.`,
    ]

    it('name the component', async () => {
      expect(await findIds(await rest(), await rest({ strict: true }))).toEqual([OTHER('`schemas.Error`')])
    })

    it('name at most three operations and components', async () => {
      const document = (type: string) => ({
        openapi: '3.1.1',
        paths: { '/user': { get: { operationId: 'listUsers', responses: { 200: { content: type } } } } },
        components: { schemas: Object.fromEntries(['A', 'B', 'C', 'D'].map((name) => [name, { type }])) },
      })
      const parts = '`listUsers`, `schemas.A`, `schemas.B` and 2 more'
      expect(await findIds(document('string'), document('integer'))).toEqual([OTHER(parts)])
    })

    it.each([
      ['an operation without an id', (type: string) => ({ get: { responses: { 200: { type } } } }), '/user.get'],
      ['parameters of a path', (type: string) => ({ parameters: [{ name: type, in: 'query' }] }), '/user.parameters'],
      [
        'a default response',
        (type: string) => ({ get: { operationId: 'getUser', responses: { default: { content: type } } } }),
        'getUser',
      ],
    ])('name %s', async (_name, pathItem, part) => {
      const document = (type: string) => ({ openapi: '3.1.1', paths: { '/user': pathItem(type) } })
      expect(await findIds(document('string'), document('integer'))).toEqual([OTHER(`\`${part}\``)])
    })

    it('are not reported if only texts and servers differ', async () => {
      const before = await rest()
      const after = { ...Object(before), info: { title: 'New', version: '2' }, servers: [{ url: '/new' }] }
      const text = JSON.stringify(after)
        .replaceAll('"summary":"', '"summary":"A ')
        .replaceAll('"description":"', '"description":"A ')
      expect(await findIds(before, JSON.parse(text))).toEqual([])
    })

    it('are not reported if the schema changes, which also changes the document', async () => {
      const found = await findIds(
        await rest(),
        await rest({ strict: true }),
        USER_SCHEMA.replace('@id\n', '@id\n  nick String?\n'),
      )
      expect(found.map(([, id]) => id)).toEqual(['field-added User.nick'])
    })

    it('are not reported if the document has other findings', async () => {
      const found = await findIds(await rest(), await rest({ strict: true, maxPageSize: 200 }))
      expect(found.map(([, id]) => id)).toEqual(['limit-lowered page[limit] 1000 -> 200'])
    })
  })
})

describe('documents of a model that also changes in the schema', () => {
  const OPTIONS = '"./routes"\n  openapi = "./api.ts"\n  rest = ["nestedRoutes"]'
  const TAGS = '  tags    Tag[]\n'
  const SCHEMA = `${SCHEMA_HEAD.replace('"./routes"', OPTIONS)}
enum Status {
  DRAFT
  SENT
}

model Post {
  id      Int    @id
  /// @zod.max(50)
  title   String @unique
  status  Status @default(DRAFT)
  /// @api.version
  version Int    @default(1)
  notes   Note[]
${TAGS}}

model Note {
  id    Int    @id
  /// @api.version
  count Int    @default(1)
  title String
  post  Post   @relation(fields: [title], references: [title])
}

model Tag {
  id    Int    @id
  posts Post[]
}
`
  const CONFIRM = 'POST /post/{id}/confirm confirmPost'
  const REST = [
    'GET /post listPosts',
    'DELETE /post/{id} deletePost',
    'GET /post/{id}/tags listPostTags',
    'POST /post/{id}/relationships/tags addToPostTags',
    'DELETE /post/{id}/tags/{relatedId} deletePostTagsMember',
    'PATCH /post/{id}/relationships/notes updatePostNotes',
  ]
  const RPC = ['GET /post/findMany postFindMany', 'DELETE /post/delete postDelete']

  /** Creates the text of a document with operations of `Post` and the id filter of its list. */
  function documentWith(operations: readonly string[], idFilter = 'IntFilter'): string {
    const paths: Record<string, object> = {}
    for (const operation of operations) {
      const [method = '', path = '', operationId] = operation.split(' ')
      const schema = { $ref: `#/components/schemas/${idFilter}` }
      const parameters = [{ name: 'filter[id]', in: 'query', schema }]
      paths[path] = { ...paths[path], [method.toLowerCase()]: { operationId, tags: ['Post'], parameters } }
    }
    return JSON.stringify({ openapi: '3.1.1', paths })
  }

  /** Adds the content that distinguishes REST from RPC to a document. */
  function asRest(document: string): string {
    const error = { content: { 'application/vnd.api+json': {} } }
    return JSON.stringify({ ...JSON.parse(document), components: { responses: { error } } })
  }

  interface Documents {
    readonly rest: string
    readonly rpc?: string
  }

  /** Returns the ids of the breaking changes after a change to the schema and the documents. */
  async function findBreaking(edit: (schema: string) => string, before: Documents, after: Documents) {
    const files = ({ rest, rpc = documentWith([]) }: Documents) => ({
      'openapi/rest.openapi.json': asRest(rest),
      'openapi/rpc.openapi.json': rpc,
    })
    const repository = repositoryWith({ 'schema.prisma': SCHEMA, ...files(before) })
    const schema = edit(SCHEMA)
    expect(schema).not.toBe(SCHEMA)
    repository.write({ 'schema.prisma': schema, ...files(after) })
    const { code, error } = await repository.run('changes', 'HEAD', '--fail-on', 'breaking')
    const ids = [...error.matchAll(/^ {2}(.*): reason$/gm)].map(([, id]) => id)
    expect(code).toBe(ids.length > 0 ? 1 : 0)
    return ids
  }

  const replacing = (from: string, to: string) => (schema: string) => schema.replace(from, to)
  const without = (operations: readonly string[], removed: RegExp | undefined) =>
    operations.filter((operation) => !removed?.test(operation))

  /** Schema changes with the ids of their breaking changes, and the emitted operations that they remove. */
  const TRIGGERS: readonly [
    name: string,
    edit: (schema: string) => string,
    schemaIds: readonly string[],
    removed?: RegExp,
  ][] = [
    ['an added field', replacing(TAGS, `  foo String?\n${TAGS}`), []],
    ['a stricter rule', replacing('max(50)', 'max(40)'), [expect.stringMatching(/^rule-stricter Post\.title /)]],
    ['an added enum value', replacing('  SENT\n', '  SENT\n  READ\n'), ['enum-value-in-answers Post.status READ']],
    ['a removed enum value', replacing('  SENT\n', ''), ['enum-value-removed Post.status SENT']],
    [
      'changed operations',
      replacing('model Post', '/// @api.operations(list, get, create, update)\nmodel Post'),
      ['operation-removed Post delete'],
      /\/post\/(\{id\}|delete) /,
    ],
    ['a removed version', replacing('  /// @api.version\n', ''), ['version-removed Post']],
    [
      'a required version of related rows',
      replacing('version\n  count', 'version(required)\n  count'),
      ['version-required Note.count', 'relation-read-only Post.notes'],
      /relationships\/notes/,
    ],
    ['a hidden relation', replacing(TAGS, `  /// @api.hidden\n${TAGS}`), ['relation-hidden Post.tags'], /tags/],
  ]

  describe.each(TRIGGERS)('%s', (_name, edit, schemaIds, removed) => {
    const before = {
      rest: documentWith([...REST, CONFIRM]),
      rpc: documentWith([...RPC, 'POST /post/confirm postConfirm']),
    }
    const [rest, rpc] = [without(REST, removed), without(RPC, removed)]

    it('reports the changed path of a custom route', async () => {
      const after = {
        rest: documentWith([...rest, CONFIRM.replace('confirm ', 'approve ')]),
        rpc: documentWith([...rpc, 'POST /post/confirm postConfirm']),
      }
      expect(await findBreaking(edit, before, after)).toEqual([
        ...schemaIds,
        'path-changed Post post.confirm /post/{id}/confirm -> /post/{id}/approve',
      ])
    })

    it('reports a removed custom route', async () => {
      const after = { rest: documentWith(rest), rpc: documentWith(rpc) }
      expect(await findBreaking(edit, before, after)).toEqual([...schemaIds, 'endpoint-removed Post post.confirm'])
    })
  })

  const addField = replacing(TAGS, `  foo String?\n${TAGS}`)

  it('reports emitted operations that the schema change does not remove', async () => {
    const found = await findBreaking(addField, { rest: documentWith(REST) }, { rest: documentWith(REST.slice(1)) })
    expect(found).toEqual(['endpoint-removed Post listPosts'])
  })

  it('reports a custom route in REST with the path of a removed RPC operation', async () => {
    const count = 'GET /post/count tallyPost'
    const edit = replacing('model Post', '/// @api.operations(get, create, update, delete)\nmodel Post')
    const rest = without(REST, /listPosts/)
    const found = await findBreaking(edit, { rest: documentWith([...rest, count]) }, { rest: documentWith(rest) })
    expect(found).toEqual(['operation-removed Post list', 'endpoint-removed Post post.tally'])
  })

  it('reports the changed path of a model and of a custom route below it', async () => {
    const before = { rest: documentWith([...REST, CONFIRM]) }
    const moved = [...REST, CONFIRM.replace('confirm ', 'approve ')].map((each) => each.replace('/post', '/posts'))
    expect(await findBreaking(addField, before, { rest: documentWith(moved) })).toEqual([
      'path-changed Post /post -> /posts',
      'path-changed Post post.confirm /post/{id}/confirm -> /posts/{id}/approve',
    ])
  })

  it('reports the changed method of a custom route', async () => {
    const before = { rest: documentWith([CONFIRM]) }
    const after = { rest: documentWith([CONFIRM.replace('POST', 'PATCH')]) }
    expect(await findBreaking(addField, before, after)).toEqual(['method-changed Post post.confirm POST -> PATCH'])
  })

  it('reports a different id only if it does not follow from the type in the schema', async () => {
    const [before, after] = [{ rest: documentWith(REST) }, { rest: documentWith(REST, 'StringFilter') }]
    expect(await findBreaking(addField, before, after)).toEqual(['id-mapped Post IntFilter -> StringFilter'])
    const changeType = replacing('id      Int    @id', 'id      String @id')
    expect(await findBreaking(changeType, before, after)).toEqual(['field-type Post.id Int -> String'])
  })

  it('reports a changed argument of a custom route, but not the id of the row', async () => {
    const rpcWith = (id: string, note: string) => {
      const schema = {
        type: 'object',
        properties: { id: { type: id }, note: { type: note } },
        required: ['id', 'note'],
      }
      const requestBody = { content: { 'application/json': { schema } } }
      const document = JSON.parse(documentWith(['POST /post/confirm postConfirm', 'PATCH /post/update postUpdate']))
      for (const item of Object.values<Record<string, object>>(document.paths)) {
        for (const operation of Object.values(item)) Object.assign(operation, { requestBody })
      }
      return JSON.stringify(document)
    }
    const rest = documentWith([])
    const changeType = replacing('id      Int    @id', 'id      String @id')
    const before = { rest, rpc: rpcWith('integer', 'string') }
    expect(await findBreaking(changeType, before, { rest, rpc: rpcWith('string', 'string') })).toEqual([
      'field-type Post.id Int -> String',
    ])
    expect(await findBreaking(addField, before, { rest, rpc: rpcWith('integer', 'boolean') })).toEqual([
      'input-changed Post post.confirm note is boolean instead of string',
    ])
  })

  it('does not report duplicate names that are numbered differently', async () => {
    const before = { rest: documentWith(['GET /post/{id}/tags listPostTags', 'GET /posttag listPostTags2']) }
    const after = { rest: documentWith(['GET /posttag listPostTags']) }
    const hideTags = replacing(TAGS, `  /// @api.hidden\n${TAGS}`)
    expect(await findBreaking(hideTags, before, after)).toEqual(['relation-hidden Post.tags'])
  })
})

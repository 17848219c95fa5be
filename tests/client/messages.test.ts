import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { expect, it } from 'vitest'

import { isLong } from '../support/form.js'

const ROOT = path.resolve(import.meta.dirname, '../..')
const FOLDER = path.join(ROOT, 'tests/.generated/messages')

const POST =
  'author, authorId, category, categoryId, comments, content, publishedAt, slug, status, tags, title, updatedAt, viewCount'
const USER = 'comments, email, name, password, posts, profile'
const ACCOUNT = 'age, balance, email, handle, homepage, password, plan, ratio, trialEnds, views'

/** A mistake, the sentence in the compiler's message, and the names that the message lists. */
const MISTAKES: readonly (readonly [mistake: string, sentence: string, names: string])[] = [
  ["rest.post.list({ include: ['author', 'comments.autor'] })", "Comment has no relation 'autor'.", 'author, post'],
  [
    "rest.post.get(1, { include: ['comments.author.posts.tag'] })",
    "Post has no relation 'tag'.",
    'author, category, comments, tags',
  ],
  ["rest.post.list({ include: ['coments.author.posts'] })", '', '"comments" "comments.author"'],
  [
    "rest.post.relationship(1, 'comments').get({ include: ['comments.autor'] })",
    "Comment has no relation 'autor'.",
    'author, post',
  ],
  [
    "rest.post.list({ sort: ['-author.nam'] })",
    "User has no sortable field or relation 'nam'.",
    'createdAt, email, id, name, profile, role',
  ],
  [
    "rest.post.list({ fields: { user: ['name'], author: ['name'] } })",
    "There is no 'author'.",
    'category, comment, post, profile, tag, user',
  ],
  ["rest.post.create({ slug: 'a', title: 'A', titel: 'A' })", "Post has no writable field or relation 'titel'.", POST],
  ["rest.post.create({ id: 1, slug: 'a', title: 'A' })", "Post has no writable field or relation 'id'.", POST],
  [
    "rest.user.create({ email: 'a', password: 'b', role: 'EDITOR' })",
    "User has no writable field or relation 'role'.",
    USER,
  ],
  ['rest.user.create(user)', "User has no writable field or relation 'role'.", USER],
  ["rest.post.update(1, { title: 'A', titel: 'A' })", "Post has no writable field or relation 'titel'.", POST],
  [
    "annotatedRest.account.update('a', { createdAt: new Date() })",
    "Account has no writable field or relation 'createdAt'.",
    ACCOUNT,
  ],
  [
    "annotatedRest.account.update('a', { invoices: [] })",
    "Account has no writable field or relation 'invoices'.",
    ACCOUNT,
  ],
  [
    "rest.post.create({ slug: 'a', title: 'A', author: 1, authorId: 1 })",
    "'authorId' is the foreign key of a relation that is also given. Use only one of them.",
    '',
  ],
  [
    'rpc.post.findMany({ include: { autor: true } })',
    "'autor' does not exist in type 'PostInclude<DefaultArgs>'. Did you mean to write 'author'?",
    '',
  ],
  [
    'rpc.post.findMany({ include: { author: true, title: true } })',
    "Post has no relation 'title'.",
    'author, category, comments, tags',
  ],
  [
    'rpc.post.findMany({ select: { title: true, titel: true } })',
    "Post has no readable field or relation 'titel'.",
    `${POST}, id`,
  ],
  [
    "rpc.post.findMany({ where: { title: 'a', titel: 'a' } })",
    "Post has no readable field or relation 'titel'.",
    `${POST}, id`,
  ],
  [
    "rpc.post.findMany({ where: { author: { email: 'a', mail: 'b' } } })",
    "User has no readable field or relation 'mail'.",
    'comments, createdAt, email, id, name, posts, profile, role',
  ],
  [
    "rpc.post.findMany({ where: { title: { contains: 'a', containz: 'b' } } })",
    "There is no operator 'containz'.",
    'equals, in, notIn, lt, lte, gt, gte, not, contains, startsWith, endsWith, search, mode, has, hasEvery, hasSome, isEmpty, path',
  ],
  [
    "rpc.post.findMany({ orderBy: [{ author: { name: 'asc', nope: 'asc' } }] })",
    "User has no readable field or relation 'nope'.",
    'comments, createdAt, email, id, name, posts, profile, role',
  ],
  [
    'rpc.user.findMany({ omit: { email: true, password: true } })',
    "User has no readable field 'password'.",
    'createdAt, email, id, name, role',
  ],
  [
    'rpc.post.findMany({ include: { comments: { take: 1, nope: 1 } } })',
    "There is no argument 'nope'.",
    'cursor, distinct, include, omit, orderBy, select, skip, take, where',
  ],
  [
    "rpc.post.create({ data: { slug: 'a', title: 'b', nope: 1 } })",
    "Post has no writable field or relation 'nope'.",
    POST,
  ],
  [
    "rpc.user.create({ data: { email: 'a', password: 'b', role: 'EDITOR' } })",
    "User has no writable field or relation 'role'.",
    USER,
  ],
  [
    "rpc.user.createMany({ data: [{ email: 'a', password: 'b', id: 1 }] })",
    "User has no writable field or relation 'id'.",
    USER,
  ],
  [
    "rpc.post.update({ where: { id: 1 }, data: { author: { update: { role: 'EDITOR' } } } })",
    "User has no writable field or relation 'role'.",
    USER,
  ],
  [
    'rpc.post.update({ where: { id: 1 }, data: { viewCount: { increment: 1, decrease: 1 } } })',
    "There is no operation 'decrease'.",
    'set, push, increment, decrement, multiply, divide',
  ],
  [
    'annotated.account.findMany({ select: { handle: true, notes: true } })',
    "Account has no readable field or relation 'notes'.",
    `${ACCOUNT.replace('password, ', '')}, createdAt, id, invoices`,
  ],
]

const PROGRAM = `import { createRestClient, createRpcClient } from '../../../client/index.js'
import type { Api as Annotations } from '../../../fixtures/annotations/expected/client.js'
import type { Api } from '../../../fixtures/blog/expected/client.js'
import { graph } from '../../../fixtures/blog/expected/graph.js'
const rest = createRestClient<Api>({ url: '/', graph })
const rpc = createRpcClient<Api>({ url: '/' })
const annotated = createRpcClient<Annotations>({ url: '/' })
const annotatedRest = createRestClient<Annotations>({ url: '/' })
const user = { email: 'a', password: 'b', role: 'EDITOR' } as const
export const mistakes = [
`

const HEAD = PROGRAM.split('\n').length

/** Returns the compiler's message for each line of the program. */
async function messages(compiler: string): Promise<ReadonlyMap<number, string>> {
  const script = path.join(ROOT, 'node_modules', compiler, 'bin/tsc')
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [script, '-p', FOLDER, '--pretty', 'false'], (_error, stdout) => resolve(stdout))
  })
  const found = new Map<number, string>()
  for (const text of output.split(/^(?=\S)/m)) {
    const line = Number(/^\S*mistakes\.ts\((\d+),/.exec(text)?.[1])
    found.set(line, (found.get(line) ?? '') + text)
  }
  return found
}

it.each(isLong ? ['typescript', 'typescript-5.9'] : ['typescript'])(
  '%s: type errors name the mistake and the available names',
  async (compiler) => {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(
      path.join(FOLDER, 'tsconfig.json'),
      '{ "extends": "../../../tsconfig.json", "include": ["mistakes.ts"], "exclude": [] }',
    )
    writeFileSync(
      path.join(FOLDER, 'mistakes.ts'),
      `${PROGRAM}${MISTAKES.map(([mistake]) => `  () => ${mistake},\n`).join('')}]\n`,
    )
    const byLine = await messages(compiler)
    expect([...byLine.keys()].filter((line) => !(line >= HEAD && line < HEAD + MISTAKES.length))).toEqual([])
    for (const [at, [mistake, sentence, names]] of MISTAKES.entries()) {
      const message = byLine.get(HEAD + at) ?? ''
      expect(message, mistake).toContain(sentence)
      expect(message, mistake).not.toContain("to type 'never'")
      const listed = message.split(`${sentence} Available: `)[1]?.split('"')[0]?.split(', ') ?? []
      if (names.startsWith('"')) for (const name of names.split(' ')) expect(message, mistake).toContain(name)
      else expect(listed.sort(), mistake).toEqual(names === '' ? [] : names.split(', ').sort())
    }
  },
)

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { beforeAll, describe, expect, it } from 'vitest'

import type { OpenApiDocument } from '../../runtime/openapi/document-types.js'
import { fixtureDocuments } from './support/fixture-documents.js'
import { GENERATED, hasTools, runTool, TOOLS } from './support/tools.js'

const FOLDER = join(GENERATED, 'documents')

/** Name of a deliberately faulty document. */
const FAULTY = 'faulty.rest'

describe.runIf(hasTools)('OpenAPI: linters on the documents of all fixtures', () => {
  let documents: ReadonlyMap<string, object>
  let files: readonly string[]

  beforeAll(async () => {
    const sound = await fixtureDocuments()
    const blog = sound.get('blog.rest')
    if (!blog) throw new Error('The blog is not described.')
    documents = new Map<string, object>([...sound, [FAULTY, faulty(blog)]])
    await rm(FOLDER, { recursive: true, force: true })
    await mkdir(FOLDER, { recursive: true })
    for (const [name, document] of documents) await writeFile(fileOf(name), JSON.stringify(document))
    files = [...documents.keys()].map(fileOf)
  })

  it('passes the recommended rules of Redocly', { timeout: 300_000 }, async () => {
    const { stdout, stderr } = await runTool(
      'redocly',
      'lint',
      '--config=redocly.yaml',
      '--format=json',
      '--max-problems=10000',
      ...files,
    )
    // The output is one object per document.
    const reports = parsed<readonly RedoclyReport[]>(`[${stdout.replaceAll(/^\}(?=\s*\{)/gm, '},')}]`, stderr)
    const found = reports
      .flatMap(({ problems }) => problems)
      .map(({ ruleId, message, location: [at] }) => ({
        name: nameOf(at?.source.ref ?? ''),
        problem: `${ruleId} ${at?.pointer}: ${message}`,
      }))
    expectOnlyFaulty(found)
  })

  it('passes the recommended rules of Spectral', { timeout: 300_000 }, async () => {
    const read = [...documents.keys()].filter((name) => FOR_SPECTRAL.has(name)).map(fileOf)
    const { stdout, stderr } = await runTool('spectral', 'lint', '--ruleset=spectral.yaml', '--format=json', ...read)
    const found = parsed<readonly SpectralProblem[]>(stdout, stderr).map(({ code, message, path, source }) => ({
      name: nameOf(source),
      problem: `${code} ${path.join('/')}: ${message}`,
    }))
    expectOnlyFaulty(found)
  })

  it('passes swagger-parser', { timeout: 300_000 }, async () => {
    const SwaggerParser = tool<{ validate(file: string): Promise<unknown> }>('@apidevtools/swagger-parser')
    expectOnlyFaulty(await problemsOf((name) => SwaggerParser.validate(fileOf(name))))
  })

  it('validates against the schema of OpenAPI', { timeout: 300_000 }, async () => {
    const entry = createRequire(join(TOOLS, 'package.json')).resolve('@seriousme/openapi-schema-validator')
    const { Validator } = (await import(pathToFileURL(entry).href)) as {
      readonly Validator: new () => {
        validate(document: object): Promise<{ readonly valid: boolean; readonly errors?: unknown }>
      }
    }
    const found = await problemsOf(async (name, document) => {
      const { valid, errors } = await new Validator().validate(structuredClone(document))
      if (!valid) throw new Error(JSON.stringify(errors))
    })
    expectOnlyFaulty(found)
  })

  async function problemsOf(check: (name: string, document: object) => Promise<unknown>): Promise<Found[]> {
    const found: Found[] = []
    for (const [name, document] of documents) {
      await check(name, document).catch((error: unknown) => found.push({ name, problem: String(error) }))
    }
    return found
  }
})

interface Found {
  readonly name: string
  readonly problem: string
}

interface RedoclyReport {
  readonly problems: readonly RedoclyProblem[]
}

interface RedoclyProblem {
  readonly ruleId: string
  readonly message: string
  readonly location: readonly { readonly source: { readonly ref: string }; readonly pointer: string }[]
}

interface SpectralProblem {
  readonly code: string
  readonly message: string
  readonly path: readonly (string | number)[]
  readonly source: string
}

/** The documents for Spectral. All documents would take minutes and have the same findings. */
const FOR_SPECTRAL: ReadonlySet<string> = new Set(['blog-at-once.rest', 'blog-at-once.rpc', 'annotations.rest', FAULTY])

/** Accepted findings. */
const ACCEPTED: readonly { readonly why: string; readonly isSo: (found: Found) => boolean }[] = [
  {
    why: 'The comment of a fixture has a script in it, to see that no page runs it.',
    isSo: ({ name, problem }) =>
      name.startsWith('names.') && /^no-(unsafe|script-tags-in)-markdown .*Comment|tags/.test(problem),
  },
  {
    why: 'A model has fields called `toString` and `constructor`, which Redocly finds in every object.',
    isSo: ({ name, problem }) =>
      name === 'names.rpc' && problem.startsWith('no-invalid-schema-examples #/components/schemas/Object'),
  },
  {
    why: '`q` holds arguments without `meta`, which bodies have.',
    isSo: ({ problem }) =>
      /^no-required-schema-properties-undefined \S+\/contentSchema\/not\/required\/0: /.test(problem),
  },
  {
    why: 'Of a foreign key and its relation, and of unique fields, one must be given: `anyOf` names them beside their descriptions.',
    isSo: ({ problem }) =>
      /^no-required-schema-properties-undefined \S+(CreateIn\w+|WhereUnique)\/(allOf\/\d+\/)?anyOf\//.test(problem),
  },
]

/** Expects findings only in the faulty document. A tool without a finding there did not run properly. */
function expectOnlyFaulty(found: readonly Found[]): void {
  expect(found.map(({ name }) => name)).toContain(FAULTY)
  const wrong = found.filter((one) => one.name !== FAULTY && !ACCEPTED.some(({ isSo }) => isSo(one)))
  expect(wrong).toEqual([])
}

/** Returns a document with an error for each tool: an operation without responses and with invalid parameters. */
function faulty(document: OpenApiDocument): object {
  const paths = { '/post': { get: { operationId: 'listPosts', parameters: 'none' } } }
  return { ...document, paths }
}

const fileOf = (name: string) => join(FOLDER, `${name}.json`)
const nameOf = (file: string) => basename(file, '.json')

function tool<T>(name: string): T {
  return createRequire(join(TOOLS, 'package.json'))(name) as T
}

function parsed<T>(stdout: string, stderr: string): T {
  try {
    return JSON.parse(stdout) as T
  } catch {
    throw new Error(`It has not answered with JSON: ${stdout}${stderr}`)
  }
}

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

import { unknownCommands } from './support/commands.js'
import { ROOT } from './support/pages.js'

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly 'runs-on': string
        readonly steps: readonly Step[]
        readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> }
        readonly services?: Readonly<Record<string, { readonly ports: readonly string[] }>>
        readonly env?: Readonly<Record<string, string>>
      }
    >
  >
}

const FOLDER = path.join(ROOT, '.github/workflows')
const names = readdirSync(FOLDER)
const workflow = (name: string): Workflow => parse(readFileSync(path.join(FOLDER, name), 'utf8'))

describe('GitHub workflows', () => {
  it.each(names)('%s: runs existing commands', (name) => {
    const { jobs } = workflow(name)
    for (const { steps, 'runs-on': runsOn } of Object.values(jobs)) {
      expect(runsOn).toBeTypeOf('string')
      for (const step of steps) {
        expect(step.uses === undefined).not.toBe(step.run === undefined)
        if (step.uses !== undefined) expect(step.uses).toMatch(/^(actions|changesets)\/[\w-]+@v\d+$/)
        const texts = [step.run, step.with?.['version'], step.with?.['publish']]
        for (const text of texts) if (typeof text === 'string') expect(unknownCommands(text)).toEqual([])
      }
    }
  })

  it('test every supported Node version on every system', () => {
    const matrix = workflow('ci.yml').jobs['test']?.strategy?.matrix
    expect(matrix?.['os']).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest'])
    const engines = ['package.json', 'generator/package.json', 'runtime/package.json', 'client/package.json'].map(
      (file) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')).engines.node,
    )
    expect(new Set(engines)).toEqual(new Set(['^20.19 || ^22.12 || >=24']))
    expect(matrix?.['node']).toEqual([20, 22, 24])
  })

  it('run .ci/run with both database servers', () => {
    const job = workflow('ci.yml').jobs['servers']
    expect(job?.steps.map((step) => step.run)).toContain('.ci/run')
    expect(Object.keys(job?.env ?? {}).sort()).toEqual(['TEST_MYSQL_URL', 'TEST_POSTGRES_URL'])
    const ports = Object.values(job?.services ?? {}).flatMap((service) => service.ports)
    for (const url of Object.values(job?.env ?? {}))
      expect(ports).toContain(`${new URL(url).port}:${new URL(url).port}`)
  })

  it('have write permissions only for releases, with provenance', () => {
    expect(workflow('ci.yml').permissions).toEqual({ contents: 'read' })
    expect(workflow('release.yml').permissions).toMatchObject({ 'id-token': 'write' })
    expect(readFileSync(path.join(FOLDER, 'release.yml'), 'utf8')).toContain("NPM_CONFIG_PROVENANCE: 'true'")
  })
})

/** The folders of published packages. */
const PACKAGES = ['generator', 'runtime', 'client'] as const

describe('changesets', () => {
  const folder = path.join(ROOT, '.changeset')
  const published = PACKAGES.map((name): { readonly name: string; readonly files: readonly string[] } =>
    JSON.parse(readFileSync(path.join(ROOT, name, 'package.json'), 'utf8')),
  )

  it('bump all packages together', () => {
    const config = JSON.parse(readFileSync(path.join(folder, 'config.json'), 'utf8'))
    expect(config.fixed).toEqual([published.map(({ name }) => name)])
    expect(config.access).toBe('public')
    for (const { files } of published) expect(files).toContain('CHANGELOG.md')
  })

  it.each(readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md'))(
    '%s: has valid front matter and a description',
    (name) => {
      const text = readFileSync(path.join(folder, name), 'utf8')
      const [, front = '', body = ''] = /^---\n([^]*?)\n---\n([^]+)$/.exec(text) ?? []
      const bumps: Readonly<Record<string, string>> = parse(front)
      expect(Object.keys(bumps).length).toBeGreaterThan(0)
      for (const [each, bump] of Object.entries(bumps)) {
        expect(published.map(({ name }) => name)).toContain(each)
        // Before 1.0 there are no major versions.
        expect(['minor', 'patch']).toContain(bump)
      }
      expect(body.trim()).not.toBe('')
    },
  )

  it('have a changelog in every package', () => {
    for (const [at, name] of PACKAGES.entries()) {
      expect(readFileSync(path.join(ROOT, name, 'CHANGELOG.md'), 'utf8')).toMatch(
        new RegExp(`^# ${published[at]?.name}\n`),
      )
    }
  })
})

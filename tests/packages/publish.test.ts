import { readFileSync } from 'node:fs'

import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { packAll, type Tarballs } from './tarballs.js'

let tarballs: Tarballs
beforeAll(async () => {
  tarballs = await packAll()
})
afterAll(() => tarballs.remove())

/** What `attw --profile esm-only` leaves out: how those find the types whose modules cannot be ESM. */
const NOT_ESM: readonly unknown[] = ['node10', 'node16-cjs']

/** What each package has beside its `package.json`. */
const CONTENTS = {
  generator: /^(LICENSE|README\.md|CHANGELOG\.md|package\.json|templates\/[a-z-]+\.hbs|dist\/[a-z/-]+(\.d\.ts|\.js))$/,
  runtime:
    /^(LICENSE|README\.md|CHANGELOG\.md|package\.json|dist\/([a-z/-]+(\.d\.ts|\.js)|chunks\/chunk-[A-Z\d]+\.js))$/,
  client: /^(LICENSE|README\.md|CHANGELOG\.md|package\.json|dist\/[a-z\d/-]+(\.d\.ts|\.js))$/,
}

describe.each(['generator', 'runtime', 'client'] as const)('the package in %s, as it would be published', (name) => {
  it('is nothing that publint has a word on', async () => {
    const data = readFileSync(tarballs[name].file)
    const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(data).buffer }, strict: true })
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([])
  })

  it('has the types of what it exports, where TypeScript looks for them', async () => {
    const result = await checkPackage(createPackageFromTarballData(readFileSync(tarballs[name].file)))
    if (result.types === false) throw new Error('There are no types.')
    expect(result.problems.filter((problem) => !NOT_ESM.includes(Reflect.get(problem, 'resolutionKind')))).toEqual([])
    expect(Object.keys(result.entrypoints)).toEqual(Object.keys(tarballs[name].manifest.exports ?? {}))
  })

  it('has its licence, its README and what runs, and nothing else', () => {
    const { contents } = tarballs[name]
    expect(contents).toEqual(expect.arrayContaining(['LICENSE', 'README.md']))
    expect(contents.filter((file) => !CONTENTS[name].test(file))).toEqual([])
  })
})

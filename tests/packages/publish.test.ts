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

/** The module resolutions that `attw --profile esm-only` ignores, because they cannot use ESM. */
const NOT_ESM: readonly unknown[] = ['node10', 'node16-cjs']

/** The files of each package. */
const CONTENTS = {
  generator: /^(LICENSE|README\.md|CHANGELOG\.md|package\.json|templates\/[a-z-]+\.hbs|dist\/[a-z/-]+(\.d\.ts|\.js))$/,
  runtime:
    /^(LICENSE|README\.md|CHANGELOG\.md|package\.json|dist\/([a-z/-]+(\.d\.ts|\.js)|chunks\/[a-z-]+-[A-Z\d]+\.js)|openapi\/viewer\/assets\/[a-z]+\.(css|js|svg))$/,
  client: /^(LICENSE|README\.md|CHANGELOG\.md|package\.json|dist\/[a-z\d/-]+(\.d\.ts|\.js))$/,
}

describe.each(['generator', 'runtime', 'client'] as const)('published package of %s', (name) => {
  it('passes publint', async () => {
    const data = readFileSync(tarballs[name].file)
    const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(data).buffer }, strict: true })
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([])
  })

  it('exports types that TypeScript resolves', async () => {
    const result = await checkPackage(createPackageFromTarballData(readFileSync(tarballs[name].file)))
    if (result.types === false) throw new Error('There are no types.')
    expect(result.problems.filter((problem) => !NOT_ESM.includes(Reflect.get(problem, 'resolutionKind')))).toEqual([])
    expect(Object.keys(result.entrypoints)).toEqual(Object.keys(tarballs[name].manifest.exports ?? {}))
  })

  it('contains only license, README, changelog and built files', () => {
    const { contents } = tarballs[name]
    expect(contents).toEqual(expect.arrayContaining(['LICENSE', 'README.md']))
    expect(contents.filter((file) => !CONTENTS[name].test(file))).toEqual([])
  })
})

import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { runCli } from '../../generator/cli.js'

const BLOG = path.resolve(import.meta.dirname, '../../fixtures/blog/schema.prisma')

async function run(...args: string[]) {
  let [out, error] = ['', '']
  const code = await runCli(args, { out: (text) => (out += text), error: (text) => (error += text) })
  return { code, out, error }
}

describe('routewright openapi', () => {
  it('exits with 2 if no module is given', async () => {
    expect(await run('openapi', '--schema', BLOG)).toEqual({
      code: 2,
      out: '',
      error: expect.stringContaining('no generator block has the option "openapi". Add openapi = "../src/api.ts"'),
    })
  })

  it.each([
    [['check', 'src/api.ts']],
    [['check', '--out', 'api']],
    [['openapi', '--yes']],
    [['openapi', '--timeout', 'long']],
    [['openapi', '--timeout', '0']],
    [['generate', '--timeout', '5']],
  ])('%j: exits with 2 and prints the usage', async (args) => {
    expect(await run(...args)).toMatchObject({
      code: 2,
      error: expect.stringContaining('Usage: routewright <command> [options]'),
    })
  })

  it('exits with 2 and suggests a file for a missing one', async () => {
    const { code, error } = await run('openapi', 'generator/cli.js', 'nowhere.ts')
    expect([code, error]).toEqual([
      2,
      expect.stringContaining('the file generator/cli.js was not found. Did you mean generator/cli.ts?'),
    ])
    expect(error).toContain('the file nowhere.ts was not found. Specify the module that exports your handlers')
  })
})

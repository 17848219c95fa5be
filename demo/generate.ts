import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

import { prismaEnvironment, prismaGenerate, ROOT } from '../scripts/prepare-fixtures.js'

/**
 * Runs `prisma generate` on the blog. Puts this repository's build of `routewright` on the path; in an app, it is in `node_modules/.bin`.
 * @returns the output of Prisma and the generators
 */
export async function generateRoutes(): Promise<string> {
  const bin = await mkdtemp(join(tmpdir(), 'routewright-bin-'))
  const main = join(ROOT, 'generator/dist/main.js')
  try {
    await writeFile(join(bin, 'routewright'), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`)
    await chmod(join(bin, 'routewright'), 0o755)
    await writeFile(join(bin, 'routewright.cmd'), `@"${process.execPath}" "${main}" %*\r\n`)
    const path = `${bin}${delimiter}${process.env['PATH'] ?? ''}`
    const output = await prismaGenerate(join(ROOT, 'fixtures/blog/schema.prisma'), [], {
      ...prismaEnvironment(),
      PATH: path,
    })
    // The other lines are Prisma's advice on how to use its client.
    return output
      .split('\n')
      .filter((line) => /^(✔|routewright|wrote|removed)/i.test(line.trim()))
      .join('\n')
  } finally {
    await rm(bin, { recursive: true, force: true })
  }
}

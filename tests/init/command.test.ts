import { describe, expect, it } from 'vitest'

import { makeProject } from '../e2e/project.js'
import { filesOf, manifestOf, SCHEMA } from './support.js'

describe('npx routewright init', () => {
  it('sets up a project that passes prisma generate and type-checks', async () => {
    const project = makeProject({
      'package.json': manifestOf(['hono', '@prisma/adapter-libsql']),
      'tsconfig.json': JSON.stringify({ compilerOptions: { module: 'nodenext', target: 'es2022', strict: true } }),
      'prisma/schema.prisma': SCHEMA,
      'src/here.ts': 'export {}\n',
    })
    const untouched = filesOf(project.folder)
    const unasked = await project.routewright('init')
    expect(unasked.code).toBe(2)
    expect(unasked.stderr).toContain('confirmation requires a terminal. Use --yes to accept all changes.')
    expect(filesOf(project.folder)).toEqual(untouched)

    expect(await project.routewright('init', '--yes')).toMatchObject({ code: 0, stderr: '' })
    const written = filesOf(project.folder)
    const again = await project.routewright('init')
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(again.stdout).toContain('nothing to write')
    expect(filesOf(project.folder)).toEqual(written)

    const { code, stderr } = await project.prismaGenerate()
    expect(code, stderr).toBe(0)
    expect(await project.typecheck()).toEqual({ code: 0, stdout: '', stderr: '' })
    expect((await project.routewright('check')).code).toBe(0)
  })

  it('exits with 2 and an error if the schema is missing', async () => {
    const project = makeProject({})
    const { code, stdout, stderr } = await project.routewright('init', '--yes')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^routewright: no schema was found: .*\.\n$/)
  })
})

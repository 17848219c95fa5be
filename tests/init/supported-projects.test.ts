import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { filesOf, makeFolder, manifestOf, runInit, SCHEMA } from './support.js'

const TSCONFIG = JSON.stringify({ compilerOptions: { module: 'nodenext' } })
const PROJECT = { 'package.json': manifestOf(['express']), 'tsconfig.json': TSCONFIG, 'prisma/schema.prisma': SCHEMA }

describe('routewright init: location of new files', () => {
  const compiler = { compilerOptions: { module: 'nodenext' } }

  it.each<[string, object, string, Record<string, string>]>([
    ['src, without a tsconfig.json that limits it', { ...compiler }, 'src', { 'src/a.ts': '' }],
    ['the root, if src does not exist', { ...compiler }, '', {}],
    ['the root, if it is included', { ...compiler, include: ['**/*.ts'] }, '', {}],
    ['src, if only src is included and does not exist', { ...compiler, include: ['src'] }, 'src', {}],
    ['src, named by a pattern', { ...compiler, include: ['./src/**/*.ts', 'types/*.d.ts'] }, 'src', {}],
    ['src, if it is rootDir', { compilerOptions: { ...compiler.compilerOptions, rootDir: './src' } }, 'src', {}],
    ['another folder that is included', { ...compiler, include: ['server/**/*.ts'] }, 'server', {}],
    ['another folder, if src exists and is not included', { ...compiler, include: ['app'] }, 'app', { 'src/a.ts': '' }],
    ['a nested folder', { ...compiler, include: ['packages/api/*.ts'] }, 'packages/api', {}],
    ['the root, if everything else is excluded', { ...compiler, exclude: ['src'] }, '', {}],
    ['the root, if only a file is compiled', { ...compiler, files: ['main.ts'] }, '', {}],
    ['the usual folder of a solution', { files: [], references: [{ path: './src' }] }, '', {}],
  ])('%s: contains the new files', async (_, tsconfig, source, more) => {
    const folder = makeFolder({ ...PROJECT, 'tsconfig.json': JSON.stringify(tsconfig), ...more })
    await runInit(folder)
    const files = filesOf(folder)
    const below = source === '' ? '' : `${source}/`
    expect(files['prisma/schema.prisma']).toContain(`output   = "../${below}routes"`)
    expect(Object.keys(files)).toEqual(expect.arrayContaining([`${below}db.ts`, `${below}index.ts`]))
  })

  it('src, included by a tsconfig.json above the package: contains the new files', async () => {
    const folder = makeFolder({ 'tsconfig.json': JSON.stringify({ ...compiler, include: ['apps/*/src'] }) })
    const app = makeFolder(
      { 'package.json': PROJECT['package.json'], 'schema.prisma': SCHEMA },
      path.join(folder, 'apps/web'),
    )
    await runInit(app)
    expect(Object.keys(filesOf(app))).toContain('src/index.ts')
  })
})

describe('routewright init: Prisma version check', () => {
  const installed = (name: string, version: string) => ({
    [`node_modules/${name}/package.json`]: JSON.stringify({ name, version }),
  })
  const manifest = (dependencies: object) => ({ 'package.json': JSON.stringify({ dependencies }) })

  it.each<[string, Record<string, string>]>([
    ['prisma 8.0.0-rc.19', manifest({ prisma: '8.0.0-rc.19' })],
    ['prisma ^8.0.0', manifest({ prisma: '^8.0.0', '@prisma/client': '^7.0.0' })],
    ['@prisma/client >=8', manifest({ '@prisma/client': '>=8' })],
    ['prisma 8', manifest({ prisma: 'npm:prisma@8' })],
    ['@prisma/orm-postgres', manifest({ '@prisma/orm-postgres': '8.0.0-rc.13' })],
    ['@prisma/orm-sqlite', manifest({ '@prisma/orm-sqlite': 'next' })],
    ['prisma 8.1.0', { ...manifest({ prisma: 'latest' }), ...installed('prisma', '8.1.0') }],
    ['prisma 8.1.0', { ...manifest({ prisma: 'catalog:' }), ...installed('prisma', '8.1.0') }],
    ['@prisma/client 9.0.0', { ...manifest({}), ...installed('@prisma/client', '9.0.0') }],
  ])('%s: rejects and writes nothing (%j)', async (found, files) => {
    const folder = makeFolder({ ...PROJECT, ...files })
    const before = filesOf(folder)
    await expect(runInit(folder)).rejects.toThrow(
      `routewright: the app uses Prisma 8 (${found}), which does not run generators. Install Prisma 7: \`npm install prisma@7 @prisma/client@7\`.`,
    )
    expect(filesOf(folder)).toEqual(before)
  })

  it('rejects Prisma 8 even if schema.prisma is missing', async () => {
    const folder = makeFolder({ ...manifest({ prisma: '8' }), 'pnpm-lock.yaml': '' })
    await expect(runInit(folder)).rejects.toThrow('`pnpm add prisma@7 @prisma/client@7`')
  })

  it.each([{ prisma: '^7.10.0' }, { prisma: '*' }, { prisma: 'latest' }, { '@prisma/client': '7' }, {}])(
    '%j: exits with 0',
    async (dependencies) => {
      const folder = makeFolder({ ...PROJECT, ...manifest({ express: '5', ...dependencies }) })
      await expect(runInit(folder)).resolves.toMatchObject({ code: 0 })
    },
  )
})

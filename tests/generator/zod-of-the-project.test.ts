import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { buildApiModel } from '../../generator/model/build-api-model.js'
import { bundledZod, createZodLoader } from '../../generator/project/zod.js'
import { folderWith } from '../output/folders.js'
import { generateFrom, SCHEMA_HEAD } from '../support/generate.js'

/** Creates a folder with another version of zod. */
const withZod = (version: string, code: string, mini = code) =>
  folderWith({
    'node_modules/zod/package.json': JSON.stringify({ name: 'zod', version, main: './index.cjs' }),
    'node_modules/zod/index.cjs': code,
    'node_modules/zod/mini/index.js': mini,
  })

describe('zod version for rules', () => {
  it("loads the project's zod from the routes folder, then from the schema folder", () => {
    const here = withZod('4.9.1', 'exports.mark = "here"')
    const there = withZod('4.9.2', 'exports.mark = "there"')
    expect(createZodLoader([join(here, 'src/routes'), there])()).toEqual({
      classic: { mark: 'here' },
      mini: { mark: 'here' },
    })
    expect(createZodLoader([folderWith(), join(there, 'prisma')])()).toEqual({
      classic: { mark: 'there' },
      mini: { mark: 'there' },
    })
  })

  it('uses the bundled zod if the project has no zod 4 that loads', () => {
    const projects = [
      folderWith(),
      withZod('3.25.0', 'exports.mark = 3'),
      withZod('4.0.0', 'throw new Error("broken")'),
      withZod('4.0.0', 'exports.mark = 4', 'throw new Error("broken")'),
    ]
    const { classic, mini } = bundledZod()
    for (const folder of projects) {
      const loaded = createZodLoader([folder])()
      expect(loaded.classic).toBe(classic)
      expect(loaded.mini).toBe(mini)
    }
  })

  it('loads zod only if the schema has a rule', () => {
    let loaded = 0
    const loadZod = () => {
      loaded++
      return bundledZod()
    }
    const model = (name: string, comment?: string) => ({
      name,
      table: undefined,
      comment: undefined,
      fields: [
        {
          name: 'id',
          comment,
          kind: 'scalar' as const,
          type: 'String',
          list: false,
          optional: false,
          nativeType: undefined,
          column: undefined,
          defaultFrom: undefined,
          defaultValue: undefined,
          updatedAt: false,
        },
      ],
      relations: [],
      primaryKey: { name: 'id', fields: ['id'] },
      uniques: [],
      methods: ['findMany'],
    })
    const source = {
      provider: 'sqlite',
      relationMode: undefined,
      enums: [],
      path: '/schema.prisma',
      files: () => [],
      locate: () => undefined,
    }
    buildApiModel({ ...source, models: [model('A')] }, () => undefined, { loadZod })
    expect(loaded).toBe(0)
    const api = buildApiModel({ ...source, models: [model('A', '@zod.min(3)')] }, () => undefined, { loadZod })
    expect(loaded).toBe(1)
    expect(api.models[0]?.fields[0]?.rule).toBe('z.string().check(z.minLength(3))')
  })

  it('emits rules in a project without installed packages', async () => {
    const { byPath } = await generateFrom(`${SCHEMA_HEAD}model User {\n  /// @zod.max(9)\n  id String @id\n}`)
    expect(byPath.get('user/resource.ts')).toContain('z.string().check(z.maxLength(9))')
  })
})

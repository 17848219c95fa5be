import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

import { expect, it } from 'vitest'

import { WITHOUT_FRAMEWORKS } from './frameworks.js'

const ROOT = path.resolve(import.meta.dirname, '../..')
const FOLDER = path.dirname(WITHOUT_FRAMEWORKS)

const readJson = (file: string): Readonly<Record<string, object>> => JSON.parse(readFileSync(file, 'utf8')) as never

it('the project without frameworks excludes all tests that import them', () => {
  const own = readJson(path.join(ROOT, 'package.json'))
  const installed = new Set([own['dependencies'], own['devDependencies']].flatMap((list) => Object.keys(list ?? {})))
  const absent = Object.keys(readJson(path.join(FOLDER, 'package.json'))['dependencies'] ?? {}).filter(
    (name) => !installed.has(name),
  )
  const importsAbsent = new RegExp(
    String.raw`^(import|export)\b[^'\n]*'(${absent.join('|')})(/[^'\n]*)?'|^\} from '(${absent.join('|')})(/[^'\n]*)?'`,
    'm',
  )
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'tests'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file.endsWith('.ts') && !file.startsWith('tests/frameworks/'))
    .filter((file) => importsAbsent.test(readFileSync(path.join(ROOT, file), 'utf8')))
  const excluded = Object.values(readJson(WITHOUT_FRAMEWORKS)['exclude'] ?? {}).map((file) =>
    path.relative(ROOT, path.join(FOLDER, String(file))),
  )
  const isExcluded = (file: string) => excluded.some((each) => file === each || file.startsWith(`${each}/`))
  expect(files.length).toBeGreaterThan(5)
  expect(files.filter((file) => !isExcluded(file))).toEqual([])
})

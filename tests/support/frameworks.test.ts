import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

import { expect, it } from 'vitest'

import { frameworkFiles } from './frameworks.js'

const ROOT = path.resolve(import.meta.dirname, '../..')

it('files that import a framework are not compiled without the frameworks', () => {
  const readText = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
  const packagesOf = (file: string) => {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(readText(file)) as Record<string, object>
    return Object.keys({ ...dependencies, ...devDependencies })
  }
  const installed = packagesOf('package.json')
  const frameworks = packagesOf('tests/frameworks/package.json').filter((name) => !installed.includes(name))
  // The last line of an import starts with `import` or, if it has several lines, with a brace.
  const importsFramework = new RegExp(`^(?:import|export|\\}).*'(?:${frameworks.join('|')})['/]`, 'm')
  const files = execFileSync('git', ['ls-files', 'tests/*.ts'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
  const importing = files.filter(
    (file) => !file.startsWith('tests/frameworks/') && importsFramework.test(readText(file)),
  )
  expect(importing.length).toBeGreaterThan(5)
  const excluded = frameworkFiles()
  expect(importing.filter((file) => !excluded.includes(file))).toEqual([])
})

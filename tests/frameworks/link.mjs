import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'

// Links the packages of this folder into the repository's own `node_modules`. Adapters, emitted files and tests then import a framework by
// its name, as in a user's app. Runs after `npm ci` here and in the root, so the order of the two does not matter.
const from = path.join(import.meta.dirname, 'node_modules')
const to = path.join(import.meta.dirname, '../../node_modules')

const { dependencies } = JSON.parse(readFileSync(path.join(import.meta.dirname, 'package.json'), 'utf8'))
if (existsSync(from) && existsSync(to)) {
  for (const name of Object.keys(dependencies)) {
    const link = path.join(to, name)
    rmSync(link, { recursive: true, force: true })
    mkdirSync(path.dirname(link), { recursive: true })
    // A junction needs no privileges on Windows. Other systems ignore the type.
    symlinkSync(path.join(from, name), link, 'junction')
  }
}

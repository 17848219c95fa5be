import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

import { initError } from '../init-error.js'
import { type PackageJson, parsePackageJson } from './package-json.js'

/** An app's folder, as far as setting it up needs to know it. Paths are relative to the folder, with forward slashes. */
export interface AppFolder {
  /** Absolute. */
  readonly root: string
  readonly manifest: PackageJson
  /** The app's own code files, those near the root first; not those of `node_modules`, of builds, or of hidden folders. */
  readonly sources: readonly string[]
  /** Whether there is a file or a folder of this path. */
  exists(path: string): boolean
  /** The text of a code file. */
  text(path: string): string
}

const CODE = /(?<!\.d)\.[cm]?[jt]sx?$/
const NOT_THE_APPS = new Set([
  'node_modules',
  'dist',
  'build',
  'out',
  'coverage',
  'public',
  'static',
  'vendor',
  'migrations',
])

// A folder that is larger than any app's code is not read to its end.
const MOST_FILES = 3000
const MOST_FOLDERS = 1500
const MOST_BYTES = 300_000

/**
 * Looks at an app's folder.
 * @param root absolute
 * @throws GeneratorError where it has no `package.json`, or one that cannot be read
 */
export function readAppFolder(root: string): AppFolder {
  const manifest = path.join(root, 'package.json')
  if (!existsSync(manifest)) {
    throw initError(`there is no package.json in ${root}.`, 'Run `routewright init` in the folder of your app.')
  }
  const texts = new Map<string, string>()
  return {
    root,
    manifest: parsePackageJson(readFileSync(manifest, 'utf8')),
    sources: listSources(root),
    exists: (name) => existsSync(path.join(root, name)),
    text(name) {
      const text = texts.get(name) ?? readFileSync(path.join(root, name), 'utf8')
      texts.set(name, text)
      return text
    },
  }
}

/** Folder by folder from the root, so that what a bound leaves out is the deepest. */
function listSources(root: string): string[] {
  const sources: string[] = []
  const folders = ['']
  for (let next = 0; next < folders.length && next < MOST_FOLDERS && sources.length < MOST_FILES; next++) {
    const folder = folders[next] ?? ''
    for (const entry of entriesOf(path.join(root, folder))) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (!entry.name.startsWith('.') && !NOT_THE_APPS.has(entry.name)) folders.push(name)
      } else if (entry.isFile() && CODE.test(entry.name) && sizeOf(path.join(root, name)) <= MOST_BYTES) {
        sources.push(name)
      }
    }
  }
  return sources
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    // A folder that may not be read holds nothing that we could use.
    return []
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

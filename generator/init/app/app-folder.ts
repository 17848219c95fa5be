import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

import { initError } from '../init-error.js'
import { type PackageJson, parsePackageJson } from './package-json.js'

/** The contents of an app's folder. Paths are relative to the folder, with forward slashes. */
export interface AppFolder {
  /** Absolute path. */
  readonly root: string
  readonly manifest: PackageJson
  /** The app's code files, those near the root first. Excludes `node_modules`, build output and hidden folders. */
  readonly sources: readonly string[]
  /** Whether a file or folder exists at this path. */
  exists(path: string): boolean
  /** Returns the text of a code file. */
  text(path: string): string
}

const CODE = /(?<!\.d)\.[cm]?[jt]sx?$/
const SKIPPED_FOLDERS = new Set([
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

// Limits of the search. The code of an app rarely reaches them.
const MAX_FILES = 3000
const MAX_FOLDERS = 1500
const MAX_BYTES = 300_000

/**
 * Reads an app's folder.
 * @param root absolute path
 * @throws GeneratorError if it has no `package.json`, or one that cannot be parsed
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

/** Lists files breadth-first, so that the limits exclude the deepest ones. */
function listSources(root: string): string[] {
  const sources: string[] = []
  const folders = ['']
  for (let next = 0; next < folders.length && next < MAX_FOLDERS && sources.length < MAX_FILES; next++) {
    const folder = folders[next] ?? ''
    for (const entry of listEntries(path.join(root, folder))) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (!entry.name.startsWith('.') && !SKIPPED_FOLDERS.has(entry.name)) folders.push(name)
      } else if (entry.isFile() && CODE.test(entry.name) && getFileSize(path.join(root, name)) <= MAX_BYTES) {
        sources.push(name)
      }
    }
  }
  return sources
}

function listEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    // Unreadable folders are skipped.
    return []
  }
}

function getFileSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

import { GeneratorError } from '../../errors.js'
import { gitOutput, runGit } from './run-git.js'

/** A file of a commit. */
export interface CommittedFile {
  /** Relative to the repository root, with forward slashes. */
  readonly path: string
  readonly text: string
}

/** Returns the paths of a commit below a folder, or the path itself if it is a file. Returns all paths if `below` is empty. */
export async function committedPaths(root: string, commit: string, below: string): Promise<readonly string[]> {
  const args = ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit, ...(below === '' ? [] : ['--', below])]
  // Path names may contain pathspec characters such as `*` and `:`.
  const listed = await gitOutput(root, ['--literal-pathspecs', ...args])
  return listed?.split('\0').filter((path) => path !== '') ?? []
}

/** Returns the schema files of a commit that may contain a routes generator. */
export async function filesWithRoutes(root: string, commit: string): Promise<readonly string[]> {
  const pattern = 'provider[[:space:]]*=[[:space:]]*".*routewright'
  const found = await gitOutput(root, ['grep', '-l', '-z', '--full-name', '-E', pattern, commit, '--', '*.prisma'])
  return (found?.split('\0') ?? []).filter((name) => name !== '').map((name) => name.slice(commit.length + 1))
}

/**
 * Reads files of a commit without a checkout.
 * @throws GeneratorError if Git cannot read a file, for example in a partial clone without network access
 */
export async function readCommitted(
  root: string,
  commit: string,
  paths: readonly string[],
): Promise<readonly CommittedFile[]> {
  if (paths.length === 0) return []
  const input = paths.map((path) => `${commit}:${path}\n`).join('')
  const result = await runGit(root, ['cat-file', '--batch'], input)
  const files: CommittedFile[] = []
  let at = 0
  const out = result?.out ?? Buffer.alloc(0)
  for (const path of paths) {
    const end = out.indexOf(10, at)
    const size = / blob (\d+)$/.exec(out.toString('utf8', at, Math.max(at, end)))?.[1]
    if (end < 0 || size === undefined) throw unreadable(path, commit)
    const start = end + 1
    files.push({ path, text: out.toString('utf8', start, start + Number(size)) })
    at = start + Number(size) + 1
  }
  return files
}

function unreadable(path: string, commit: string): GeneratorError {
  const what = `git does not give ${path} of ${commit.slice(0, 12)}.`
  return new GeneratorError([
    { location: {}, what, hint: '`git show` says why. A partial clone has to fetch it first.' },
  ])
}

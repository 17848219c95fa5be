import { GeneratorError } from '../../errors.js'
import { gitOutput, runGit } from './run-git.js'

/** A file of a commit. */
export interface CommittedFile {
  /** Relative to the repository root, with forward slashes. */
  readonly path: string
  readonly text: string
}

/** Returns the paths of a commit below a folder, or the path itself if it is a file. Returns all paths if `folder` is empty. */
export async function listCommittedPaths(root: string, commit: string, folder: string): Promise<readonly string[]> {
  const args = ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit, ...(folder === '' ? [] : ['--', folder])]
  // Path names may contain pathspec characters such as `*` and `:`.
  const listed = await gitOutput(root, ['--literal-pathspecs', ...args])
  return listed?.split('\0').filter((path) => path !== '') ?? []
}

/** Returns the schema files of a commit that may contain a routes generator. */
export async function findRoutesSchemas(root: string, commit: string): Promise<readonly string[]> {
  const pattern = 'provider[[:space:]]*=[[:space:]]*".*routewright'
  const found = await gitOutput(root, ['grep', '-l', '-z', '--full-name', '-E', pattern, commit, '--', '*.prisma'])
  return (found?.split('\0') ?? []).filter((name) => name !== '').map((name) => name.slice(commit.length + 1))
}

/**
 * Reads files of a commit without a checkout.
 * @throws GeneratorError if Git cannot read a file, for example in a partial clone without network access
 */
export async function readCommittedFiles(
  root: string,
  commit: string,
  paths: readonly string[],
): Promise<readonly CommittedFile[]> {
  if (paths.length === 0) return []
  const input = paths.map((path) => `${commit}:${path}\n`).join('')
  const result = await runGit(root, ['cat-file', '--batch'], input)
  const files: CommittedFile[] = []
  let offset = 0
  const output = result?.stdout ?? Buffer.alloc(0)
  for (const path of paths) {
    const end = output.indexOf(10, offset)
    const size = / blob (\d+)$/.exec(output.toString('utf8', offset, Math.max(offset, end)))?.[1]
    if (end < 0 || size === undefined) throw unreadableFileError(path, commit)
    const start = end + 1
    files.push({ path, text: output.toString('utf8', start, start + Number(size)) })
    offset = start + Number(size) + 1
  }
  return files
}

function unreadableFileError(path: string, commit: string): GeneratorError {
  const message = `git cannot read ${path} in commit ${commit.slice(0, 12)}.`
  return new GeneratorError([
    { location: {}, message, hint: 'Run `git show` to see the reason. In a partial clone, fetch the file first.' },
  ])
}

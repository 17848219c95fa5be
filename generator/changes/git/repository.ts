import path from 'node:path'

import { GeneratorError } from '../../errors.js'
import { gitOutput, runGit } from './run-git.js'

/** A Git repository. */
export interface Repository {
  /** Absolute path of the working tree's root. */
  readonly root: string
  /** Whether the clone is shallow, so that part of the history is missing. */
  readonly isShallow: boolean
}

/** The commit to compare with. */
export interface Base {
  /** The commit hash. */
  readonly commit: string
  /** A name for messages, such as `main` or `the merge base with main`. */
  readonly name: string
}

/**
 * Finds the repository that contains a folder.
 * @throws GeneratorError if the folder is not in a repository or Git is not installed
 */
export async function openRepository(folder: string): Promise<Repository> {
  const result = await runGit(folder, ['rev-parse', '--is-shallow-repository', '--show-toplevel'])
  if (result === undefined) {
    throw gitError('git cannot be started.', 'Install git. It is required to read the schema of an earlier commit.')
  }
  if (result.code !== 0) {
    const reason =
      result.error
        .trim()
        .replace(/^fatal: /, '')
        .split('\n')[0] ?? ''
    if (/not a git repository/.test(reason)) {
      throw gitError(
        `${folder} is not in a git repository.`,
        'Run the command in the repository that contains your schema.',
      )
    }
    throw gitError(`git cannot read the repository of ${folder}: ${reason}.`, 'Fix the problem that git reports.')
  }
  const [shallow = '', ...root] = result.stdout.toString().trimEnd().split('\n')
  return { root: path.resolve(root.join('\n')), isShallow: shallow === 'true' }
}

/**
 * Resolves the commit to compare with: the given ref, or the merge base with the default branch.
 * @param ref a branch, a tag or a commit
 * @throws GeneratorError with a hint about which branch to fetch or which ref to pass
 */
export async function findBase(repository: Repository, ref: string | undefined): Promise<Base> {
  return ref === undefined ? await mergeBase(repository) : { commit: await resolveCommit(repository, ref), name: ref }
}

async function resolveCommit({ root, isShallow }: Repository, ref: string): Promise<string> {
  const commit = await gitOutput(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`])
  if (commit !== undefined) return commit
  const branch = ref.replace(/^origin\//, '')
  const hint = isShallow
    ? `This clone is shallow. Run: ${formatFetchCommand(branch)}`
    : 'Specify a branch, a tag or a commit that exists in this repository, or fetch it first.'
  throw gitError(`the commit "${ref}" was not found in this repository.`, hint)
}

/** Candidates for the default branch, most likely first. `git clone` sets `origin/HEAD`. */
const DEFAULTS = ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master'] as const

async function mergeBase(repository: Repository): Promise<Base> {
  const { root, isShallow } = repository
  // GitHub Actions sets the target branch of a pull request.
  const targetBranch = process.env['GITHUB_BASE_REF'] || undefined
  const candidates = targetBranch === undefined ? DEFAULTS : [`origin/${targetBranch}`, targetBranch]
  const branch = await findFirstBranch(root, candidates)
  const name = targetBranch ?? 'main'
  if (branch === undefined) {
    if ((await gitOutput(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])) === undefined) {
      throw gitError(
        'this repository has no commits yet.',
        'Commit the schema first. Later changes are compared with it.',
      )
    }
    const hint = isShallow
      ? `This clone is shallow. Run: ${formatFetchCommand(name)}`
      : `Specify the commit to compare with: npx routewright changes <ref>. Or fetch the branch: git fetch origin ${name}`
    throw gitError(`the default branch was not found. Tried: ${candidates.join(', ')}.`, hint)
  }
  const commit = await gitOutput(root, ['merge-base', branch, 'HEAD'])
  if (commit !== undefined) return { commit, name: `the merge base with ${branch}` }
  if (isShallow) {
    const hint = `Run: ${formatFetchCommand(branch.replace(/^origin\//, ''))} (with actions/checkout: fetch-depth: 0)`
    throw gitError(`this clone is shallow and does not contain the merge base with ${branch}.`, hint)
  }
  const hint = 'Specify the commit to compare with: npx routewright changes <ref>.'
  throw gitError(`this branch and ${branch} have no commit in common.`, hint)
}

/** Returns the first existing branch. A symbolic ref such as `origin/HEAD` is resolved to its target. */
async function findFirstBranch(root: string, candidates: readonly string[]): Promise<string | undefined> {
  const refs = candidates.map((name) => `refs/${name.startsWith('origin/') ? 'remotes' : 'heads'}/${name}`)
  const format = '%(refname)%00%(symref)'
  const found = await gitOutput(root, ['for-each-ref', `--format=${format}`, ...refs])
  const targets = new Map(
    (found ?? '').split('\n').map((line) => {
      const [ref = '', target = ''] = line.split('\0')
      return [ref, target] as const
    }),
  )
  const ref = refs.find((each) => targets.has(each))
  return ref === undefined ? undefined : (targets.get(ref) || ref).replace(/^refs\/(?:remotes|heads)\//, '')
}

/** Returns the command that fetches a branch with its full history into a shallow clone. */
function formatFetchCommand(branch: string): string {
  return `git fetch --unshallow origin "+refs/heads/${branch}:refs/remotes/origin/${branch}"`
}

function gitError(message: string, hint: string): GeneratorError {
  return new GeneratorError([{ location: {}, message, hint }])
}

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
    throw gitError(
      'git cannot be started.',
      'Install it, or run this where it is: the schema of an earlier commit is read through it.',
    )
  }
  if (result.code !== 0) {
    const why =
      result.error
        .trim()
        .replace(/^fatal: /, '')
        .split('\n')[0] ?? ''
    if (/not a git repository/.test(why)) {
      throw gitError(`${folder} is in no git repository.`, 'Run it in the one that your schema is committed to.')
    }
    throw gitError(`git cannot read the repository of ${folder}: ${why}.`, 'Mend what it names.')
  }
  const [shallow = '', ...root] = result.out.toString().trimEnd().split('\n')
  return { root: path.resolve(root.join('\n')), isShallow: shallow === 'true' }
}

/**
 * Resolves the commit to compare with: the given ref, or the merge base with the default branch.
 * @param ref a branch, a tag or a commit
 * @throws GeneratorError with a hint which branch to fetch or which ref to pass
 */
export async function findBase(repository: Repository, ref: string | undefined): Promise<Base> {
  return ref === undefined ? await mergeBase(repository) : { commit: await commitOf(repository, ref), name: ref }
}

async function commitOf({ root, isShallow }: Repository, ref: string): Promise<string> {
  const commit = await gitOutput(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`])
  if (commit !== undefined) return commit
  const branch = ref.replace(/^origin\//, '')
  const hint = isShallow
    ? `This clone is shallow. Run: ${fetchOf(branch)}`
    : 'Name a branch, a tag or a commit that `git rev-parse` knows, or fetch it first.'
  throw gitError(`there is no commit "${ref}" in this repository.`, hint)
}

/** Candidates for the default branch, most likely first. `git clone` sets `origin/HEAD`. */
const DEFAULTS = ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master'] as const

async function mergeBase(repository: Repository): Promise<Base> {
  const { root, isShallow } = repository
  // GitHub Actions sets the target branch of a pull request.
  const wanted = process.env['GITHUB_BASE_REF'] || undefined
  const candidates = wanted === undefined ? DEFAULTS : [`origin/${wanted}`, wanted]
  const branch = await firstBranch(root, candidates)
  const name = wanted ?? 'main'
  if (branch === undefined) {
    if ((await gitOutput(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])) === undefined) {
      throw gitError('this repository has no commit yet.', 'Commit the schema: later changes are compared with it.')
    }
    const hint = isShallow
      ? `This clone is shallow. Run: ${fetchOf(name)}`
      : `Name a commit to compare with, as in: npx routewright changes <ref>. Or fetch the branch: git fetch origin ${name}`
    throw gitError(`the default branch is not here: there is none of ${candidates.join(', ')}.`, hint)
  }
  const commit = await gitOutput(root, ['merge-base', branch, 'HEAD'])
  if (commit !== undefined) return { commit, name: `the merge base with ${branch}` }
  if (isShallow) {
    const hint = `Run: ${fetchOf(branch.replace(/^origin\//, ''))} (with actions/checkout: fetch-depth: 0)`
    throw gitError(`this clone is shallow, and the merge base with ${branch} is not in it.`, hint)
  }
  const hint = 'Name one to compare with, as in: npx routewright changes <ref>.'
  throw gitError(`this branch and ${branch} have no commit in common.`, hint)
}

/** Returns the first existing branch. A symbolic ref such as `origin/HEAD` is resolved to its target. */
async function firstBranch(root: string, candidates: readonly string[]): Promise<string | undefined> {
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
function fetchOf(branch: string): string {
  return `git fetch --unshallow origin "+refs/heads/${branch}:refs/remotes/origin/${branch}"`
}

function gitError(what: string, hint: string): GeneratorError {
  return new GeneratorError([{ location: {}, what, hint }])
}

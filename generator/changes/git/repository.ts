import path from 'node:path'

import { GeneratorError } from '../../errors.js'
import { gitOutput, runGit } from './run-git.js'

/** A repository, and where its working tree is. */
export interface Repository {
  /** The top of the working tree, absolute. */
  readonly root: string
  /** Not all of its history is there. */
  readonly isShallow: boolean
}

/** What a change is compared with. */
export interface Base {
  /** Its commit. */
  readonly commit: string
  /** How people know it, as `main`, and what it is, as `the merge base with main`. */
  readonly name: string
}

/**
 * Finds the repository that a folder is in.
 * @throws GeneratorError where there is none, or no git
 */
export async function openRepository(folder: string): Promise<Repository> {
  const result = await runGit(folder, ['rev-parse', '--is-shallow-repository', '--show-toplevel'])
  if (result === undefined) {
    throw fault(
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
      throw fault(`${folder} is in no git repository.`, 'Run it in the one that your schema is committed to.')
    }
    throw fault(`git cannot read the repository of ${folder}: ${why}.`, 'Mend what it names.')
  }
  const [shallow = '', ...root] = result.out.toString().trimEnd().split('\n')
  return { root: path.resolve(root.join('\n')), isShallow: shallow === 'true' }
}

/**
 * The commit to compare with: what is named, or where this branch left the default branch.
 * @param ref a branch, a tag or a commit
 * @throws GeneratorError that says what to fetch, or what to name
 */
export async function findBase(repository: Repository, ref: string | undefined): Promise<Base> {
  return ref === undefined ? await mergeBase(repository) : { commit: await commitOf(repository, ref), name: ref }
}

async function commitOf({ root, isShallow }: Repository, ref: string): Promise<string> {
  const commit = await gitOutput(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`])
  if (commit !== undefined) return commit
  const branch = ref.replace(/^origin\//, '')
  const mend = isShallow
    ? `This clone is shallow. Run: ${fetchOf(branch)}`
    : 'Name a branch, a tag or a commit that `git rev-parse` knows, or fetch it first.'
  throw fault(`there is no commit "${ref}" in this repository.`, mend)
}

/** What may be the default branch, the likeliest first. `origin/HEAD` is what a clone notes. */
const DEFAULTS = ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master'] as const

async function mergeBase(repository: Repository): Promise<Base> {
  const { root, isShallow } = repository
  // GitHub says which branch a pull request is for.
  const wanted = process.env['GITHUB_BASE_REF'] || undefined
  const candidates = wanted === undefined ? DEFAULTS : [`origin/${wanted}`, wanted]
  const branch = await firstBranch(root, candidates)
  const name = wanted ?? 'main'
  if (branch === undefined) {
    if ((await gitOutput(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])) === undefined) {
      throw fault('this repository has no commit yet.', 'Commit the schema: later changes are compared with it.')
    }
    const mend = isShallow
      ? `This clone is shallow. Run: ${fetchOf(name)}`
      : `Name a commit to compare with, as in: npx routewright changes <ref>. Or fetch the branch: git fetch origin ${name}`
    throw fault(`the default branch is not here: there is none of ${candidates.join(', ')}.`, mend)
  }
  const commit = await gitOutput(root, ['merge-base', branch, 'HEAD'])
  if (commit !== undefined) return { commit, name: `the merge base with ${branch}` }
  if (isShallow) {
    const mend = `Run: ${fetchOf(branch.replace(/^origin\//, ''))} (with actions/checkout: fetch-depth: 0)`
    throw fault(`this clone is shallow, and the merge base with ${branch} is not in it.`, mend)
  }
  const mend = 'Name one to compare with, as in: npx routewright changes <ref>.'
  throw fault(`this branch and ${branch} have no commit in common.`, mend)
}

/** The first of these branches that is there, by its own name where it is known by another one. */
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

/** The command that brings a branch and all that it grew from into a shallow clone. */
function fetchOf(branch: string): string {
  return `git fetch --unshallow origin "+refs/heads/${branch}:refs/remotes/origin/${branch}"`
}

function fault(what: string, mend: string): GeneratorError {
  return new GeneratorError([{ place: {}, what, mend }])
}

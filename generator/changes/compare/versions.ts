import type { ModelSpec } from '../../model/api-model.js'
import type { Finding } from '../change.js'
import { inStyles, quote } from '../phrases.js'
import type { ModelPair } from './context.js'

/** Compares the row versions of a model (`@api.version`), which callers send in conditional requests. */
export function compareVersions({ before, after, fields, styles }: ModelPair): Finding[] {
  if (!isChanged(before) || !isChanged(after)) return []
  const [was, is] = [versionOf(before), versionOf(after)]
  const about = { model: after.name } as const
  if (was && !is) {
    const sentence = `${quote(after.name)} has no versions any more: answers have no tag, and changes that name one are refused${inStyles(
      styles,
      { rest: '`If-Match`: 412', rpc: 'not concerned' },
    )}.`
    return [{ kind: 'breaking', code: 'version-removed', ...about, sentence }]
  }
  if (!is) return []
  const findings: Finding[] = []
  const member = is.name
  const isMoved = was !== undefined && (fields.get(was.name) ?? was.name) !== is.name
  if (isMoved) {
    const sentence = `${quote(`${after.name}.${member}`)} tells the versions of a row instead of ${quote(was.name)}: tags that callers have fit nothing${inStyles(
      styles,
      { rest: '412', rpc: 'not concerned' },
    )}.`
    findings.push({
      kind: 'breaking',
      code: 'version-moved',
      ...about,
      member,
      detail: `${was.name} -> ${member}`,
      sentence,
    })
  }
  if (is.version === 'required' && was?.version !== 'required') {
    const sentence = `Changes of ${quote(after.name)} must say which version they were made of, or they are refused${inStyles(
      styles,
      { rest: '`If-Match`: 428', rpc: '`where`: 428' },
    )}.`
    findings.push({ kind: 'breaking', code: 'version-required', ...about, member, sentence })
  } else if (was?.version === 'required' && is.version !== 'required') {
    const sentence = `Changes of ${quote(after.name)} need not say any more which version they were made of.`
    findings.push({ kind: 'loosened', code: 'version-optional', ...about, member, sentence })
  }
  if (!was) {
    const sentence = `${quote(after.name)} has versions now: changes can be made of one version only${inStyles(styles, {
      rest: '`ETag`, `If-Match`',
      rpc: '`where`',
    })}.`
    findings.push({ kind: 'loosened', code: 'version-added', ...about, member, sentence })
  }
  return findings
}

function versionOf({ fields }: ModelSpec) {
  return fields.find(({ version }) => version !== undefined)
}

function isChanged({ operations }: ModelSpec): boolean {
  return operations.includes('update') || operations.includes('delete')
}

import type { ModelSpec } from '../../model/api-model.js'
import type { Finding } from '../change.js'
import { formatPerStyle, quote } from '../phrases.js'
import type { ModelPair } from './context.js'

/** Compares the row versions of a model (`@api.version`), which callers send in conditional requests. */
export function compareVersions({ before, after, fields, styles }: ModelPair): Finding[] {
  if (!isChanged(before) || !isChanged(after)) return []
  const [oldVersion, newVersion] = [findVersionField(before), findVersionField(after)]
  const about = { model: after.name } as const
  if (oldVersion && !newVersion) {
    const sentence = `${quote(after.name)} no longer has versions: responses have no \`ETag\`, and conditional changes are rejected${formatPerStyle(
      styles,
      { rest: '`If-Match`: 412', rpc: `custom routes no longer have the argument ${quote(oldVersion.name)}` },
    )}.`
    return [{ kind: 'breaking', code: 'version-removed', ...about, sentence }]
  }
  if (!newVersion) return []
  const findings: Finding[] = []
  const member = newVersion.name
  const hasMoved = oldVersion !== undefined && (fields.get(oldVersion.name) ?? oldVersion.name) !== newVersion.name
  if (hasMoved) {
    const sentence = `${quote(`${after.name}.${member}`)} is now the version of a row instead of ${quote(oldVersion.name)}: the ETags of earlier responses no longer match${formatPerStyle(
      styles,
      { rest: '412', rpc: `custom routes have the argument ${quote(member)} instead` },
    )}.`
    findings.push({
      kind: 'breaking',
      code: 'version-moved',
      ...about,
      member,
      detail: `${oldVersion.name} -> ${member}`,
      sentence,
    })
  }
  if (newVersion.version === 'required' && oldVersion?.version !== 'required') {
    const sentence = `Changes to ${quote(after.name)} must now specify the version that they are based on: changes without a version are rejected${formatPerStyle(
      styles,
      { rest: '`If-Match`: 428', rpc: '`where`: 428' },
    )}.`
    findings.push({ kind: 'breaking', code: 'version-required', ...about, member, sentence })
  } else if (oldVersion?.version === 'required' && newVersion.version !== 'required') {
    const sentence = `Changes to ${quote(after.name)} no longer have to specify the version that they are based on.`
    findings.push({ kind: 'loosened', code: 'version-optional', ...about, member, sentence })
  }
  if (!oldVersion) {
    const sentence = `${quote(after.name)} now has versions: a change can require a specific version${formatPerStyle(
      styles,
      {
        rest: '`ETag`, `If-Match`',
        rpc: '`where`',
      },
    )}.`
    findings.push({ kind: 'loosened', code: 'version-added', ...about, member, sentence })
  }
  return findings
}

function findVersionField({ fields }: ModelSpec) {
  return fields.find(({ version }) => version !== undefined)
}

function isChanged({ operations }: ModelSpec): boolean {
  return operations.includes('update') || operations.includes('delete')
}

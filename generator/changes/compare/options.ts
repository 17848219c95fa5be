import type { Finding } from '../change.js'
import type { ApiSnapshot } from '../api-snapshot.js'
import { quote } from '../phrases.js'

/** Compares the options of the generator block. */
export function compareOptions(before: ApiSnapshot, after: ApiSnapshot): Finding[] {
  const findings: Finding[] = []
  const [was, is] = [before.options, after.options]
  for (const style of is.styles.filter((each) => !was.styles.includes(each))) {
    const sentence = `The ${style.toUpperCase()} style is emitted now: everything on the wire can be asked for in it.`
    findings.push({ kind: 'exposure', code: 'style-added', detail: style, sentence })
  }
  for (const style of was.styles.filter((each) => !is.styles.includes(each))) {
    const sentence = `The ${style.toUpperCase()} style is not emitted any more: its callers have no API.`
    findings.push({ kind: 'breaking', code: 'style-removed', detail: style, sentence })
  }
  if (is.nestedRoutes !== was.nestedRoutes && is.styles.includes('rest') && was.styles.includes('rest')) {
    const routes = quote('/:id/<relation>/:relatedId')
    findings.push(
      is.nestedRoutes
        ? {
            kind: 'exposure',
            code: 'nested-routes',
            detail: 'on',
            sentence: `Rows can be reached through their owners now (REST ${routes}).`,
          }
        : {
            kind: 'breaking',
            code: 'nested-routes',
            detail: 'off',
            sentence: `Rows can no longer be reached through their owners (REST ${routes}: 404).`,
          },
    )
  }
  if (before.api.provider !== after.api.provider) {
    const [from, to] = [before.api.provider, after.api.provider]
    const sentence = `The database is ${quote(to)} instead of ${quote(from)}: which operators there are, whether texts are compared by case and how they are sorted may be otherwise.`
    findings.push({ kind: 'breaking', code: 'database-changed', detail: `${from} -> ${to}`, sentence })
  }
  return findings
}

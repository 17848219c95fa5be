import type { Finding } from '../change.js'
import type { ApiSnapshot } from '../api-snapshot.js'
import { quote } from '../phrases.js'

/** Compares the options of the generator block. */
export function compareOptions(before: ApiSnapshot, after: ApiSnapshot): Finding[] {
  const findings: Finding[] = []
  const [oldOptions, newOptions] = [before.options, after.options]
  for (const style of newOptions.styles.filter((each) => !oldOptions.styles.includes(each))) {
    const sentence = `The ${style.toUpperCase()} routes are now generated: everything that is exposed is available through them.`
    findings.push({ kind: 'exposure', code: 'style-added', detail: style, sentence })
  }
  for (const style of oldOptions.styles.filter((each) => !newOptions.styles.includes(each))) {
    const sentence = `The ${style.toUpperCase()} routes are no longer generated: all requests to them are rejected.`
    findings.push({ kind: 'breaking', code: 'style-removed', detail: style, sentence })
  }
  if (
    newOptions.nestedRoutes !== oldOptions.nestedRoutes &&
    newOptions.styles.includes('rest') &&
    oldOptions.styles.includes('rest')
  ) {
    const routes = quote('/:id/<relation>/:relatedId')
    findings.push(
      newOptions.nestedRoutes
        ? {
            kind: 'exposure',
            code: 'nested-routes',
            detail: 'on',
            sentence: `Rows can now be accessed through their parent rows (REST ${routes}).`,
          }
        : {
            kind: 'breaking',
            code: 'nested-routes',
            detail: 'off',
            sentence: `Rows can no longer be accessed through their parent rows (REST ${routes}: 404).`,
          },
    )
  }
  if (before.api.provider !== after.api.provider) {
    const [from, to] = [before.api.provider, after.api.provider]
    const sentence = `The database is ${quote(to)} instead of ${quote(from)}: the available operators, the case sensitivity of comparisons and the sort order of strings may differ.`
    findings.push({ kind: 'breaking', code: 'database-changed', detail: `${from} -> ${to}`, sentence })
  }
  return findings
}

import type { Finding } from '../change.js'
import type { ApiSnapshot } from '../api-snapshot.js'
import type { RestFeature, RpcFeature } from '../../features.js'
import { hasVersions } from '../../model/version-field.js'
import { type Style, STYLES } from '../../options.js'
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
  if (oldOptions.policy !== undefined && newOptions.policy === undefined) {
    const sentence = `The block no longer generates ${quote('policy.ts')}: if your app does not replace it, callers can read and write all rows that it hid.`
    findings.push({ kind: 'exposure', code: 'policy-removed', detail: oldOptions.policy, sentence, first: true })
  }
  // A version field enables conditional requests in any case, and `compareVersions` reports it.
  const isVersioned = hasVersions(before.api) || hasVersions(after.api)
  const isCompared = (feature: RestFeature | RpcFeature): feature is CallerFeature =>
    feature !== 'lifecycle' && !(feature === 'conditionalRequests' && isVersioned)
  for (const style of STYLES) {
    if (!newOptions.styles.includes(style) || !oldOptions.styles.includes(style)) continue
    findings.push(
      ...compareFeatures(
        style,
        oldOptions.features[style].filter(isCompared),
        newOptions.features[style].filter(isCompared),
      ),
    )
  }
  if (before.api.provider !== after.api.provider) {
    const [from, to] = [before.api.provider, after.api.provider]
    const sentence = `The database is ${quote(to)} instead of ${quote(from)}: the available operators, the case sensitivity of comparisons and the sort order of strings may differ.`
    findings.push({ kind: 'breaking', code: 'database-changed', detail: `${from} -> ${to}`, sentence })
  }
  return findings
}

/** A feature that changes what callers can request. `lifecycle` only adds handler options. */
type CallerFeature = Exclude<RestFeature | RpcFeature, 'lifecycle'>

/** The capability of each feature, as a phrase in a sentence. */
const CAPABILITIES: Readonly<Record<CallerFeature, string>> = {
  atomic: `atomic operations (${quote('POST /operations')} by default)`,
  conditionalRequests: `ETags and preconditions (${quote('If-Match')})`,
  cursors: `cursor pagination (${quote('page[after]')})`,
  expressions: `filter expressions (${quote('filter=or(…)')})`,
  includedLists: `parameters for included lists (${quote('includePage[comments][limit]')})`,
  minimalResponses: `minimal responses (${quote('Prefer: return=minimal')})`,
  nestedRoutes: `access to rows through their parent rows (${quote('/:id/<relation>/:relatedId')})`,
  relatedCounts: `counts of related resources (${quote('relatedCount')})`,
  transactions: `transactions (${quote('POST /$transaction/sequential')})`,
}

/** The consequence of removing a feature. Default: requests that use it are rejected. */
const CONSEQUENCES: Readonly<Partial<Record<CallerFeature, string>>> = {
  conditionalRequests: 'Writes with a precondition are rejected, and responses have no ETag.',
  minimalResponses: 'The header is ignored.',
}

function compareFeatures(style: Style, before: readonly CallerFeature[], after: readonly CallerFeature[]): Finding[] {
  const name = style.toUpperCase()
  const consequence = (feature: CallerFeature) => CONSEQUENCES[feature] ?? 'Requests that use this are rejected.'
  return [
    ...after
      .filter((feature) => !before.includes(feature))
      .map((feature): Finding => {
        const sentence = `${name} now supports ${CAPABILITIES[feature]}.`
        return { kind: 'exposure', code: 'feature-added', detail: `${style}.${feature}`, sentence }
      }),
    ...before
      .filter((feature) => !after.includes(feature))
      .map((feature): Finding => {
        const sentence = `${name} no longer supports ${CAPABILITIES[feature]}. ${consequence(feature)}`
        return { kind: 'breaking', code: 'feature-removed', detail: `${style}.${feature}`, sentence }
      }),
  ]
}

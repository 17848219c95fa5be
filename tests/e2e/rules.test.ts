import { expect, it } from 'vitest'

import { parseChain } from '../../generator/model/annotations/parse-chain.js'
import { buildRule } from '../../generator/model/annotations/build-rule.js'
import { isLong } from '../support/form.js'
import { chainsOf, RULE_KINDS } from '../support/rule-kinds.js'
import { makeProject } from './project.js'

it.each(isLong ? (['typescript', 'typescript-5.9'] as const) : (['typescript'] as const))(
  '%s: compiles every emitted check',
  async (tsc) => {
    const rules = RULE_KINDS.flatMap((kind) =>
      chainsOf(kind).map((chain) => {
        const rule = buildRule(parseChain(chain).calls, kind.field)
        return 'source' in rule ? rule.source : rule.message
      }),
    )
    const project = makeProject({
      'tsconfig.json': JSON.stringify({
        compilerOptions: { target: 'es2022', module: 'nodenext', strict: true, exactOptionalPropertyTypes: true },
      }),
      'src/rules.ts': `import type { Rule } from "@routewright/runtime";
import * as z from "zod/mini";

export const rules: readonly Rule[] = [
  ${rules.join(',\n  ')},
];
`,
    })
    expect(await project.typecheck({}, tsc)).toEqual({ code: 0, stdout: '', stderr: '' })
  },
)

import path from 'node:path'

import ts from 'typescript-5.9'
import { expect, it } from 'vitest'

import { read } from '../output/folders.js'

const ADAPTERS = path.resolve(import.meta.dirname, '../../runtime/adapters')

// `npm run build` does not check types, and the frameworks may be missing. Inferred types would then be published as `any`.
it.each(Object.entries(read(ADAPTERS)))('%s: annotates every exported type', (file, source) => {
  const { diagnostics } = ts.transpileDeclaration(source, {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: { isolatedDeclarations: true, declaration: true, target: ts.ScriptTarget.ES2022 },
  })
  expect(diagnostics?.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([])
})

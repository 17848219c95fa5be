import type { Project } from 'ts-morph'
import { GeneratorError } from '../errors.js'
import type { EmittedFile } from './files.js'

/**
 * Checks that files are valid TypeScript.
 * @param files with their imports. All are parsed in one program, so pass them in batches.
 * @throws GeneratorError naming each invalid file with its first error and line
 */
export async function assertSyntax(files: readonly EmittedFile[]): Promise<void> {
  // Loaded lazily, because loading ts-morph takes longer than a run without changes.
  const morph = await import('ts-morph')
  const project = new morph.Project({
    useInMemoryFileSystem: true,
    skipFileDependencyResolution: true,
    skipLoadingLibFiles: true,
    compilerOptions: { noLib: true, noResolve: true, types: [], target: morph.ScriptTarget.Latest },
  })
  for (const { path, text } of files) project.createSourceFile(`/${path}`, text)
  const errors = findSyntaxErrors(project)
  if (errors.length > 0) throw new GeneratorError(errors.map(toDiagnostic))
}

interface EmittedSyntaxError {
  readonly path: string
  readonly line: number
  readonly message: string
  readonly excerpt: string
}

/** Returns the first syntax error of each file. Later errors in the same file are usually consequences of the first one. */
function findSyntaxErrors(project: Project): EmittedSyntaxError[] {
  const errors = new Map<string, EmittedSyntaxError>()
  for (const diagnostic of project.getProgram().getSyntacticDiagnostics()) {
    const source = diagnostic.getSourceFile()
    const path = source.getFilePath().slice(1)
    if (errors.has(path)) continue
    const line = diagnostic.getLineNumber()
    const message = diagnostic.getMessageText()
    errors.set(path, {
      path,
      line,
      message: typeof message === 'string' ? message : message.getMessageText(),
      // At the end of the file, the line is empty. The last line with text before it is shown instead.
      excerpt:
        source
          .getFullText()
          .split('\n')
          .slice(0, line)
          .findLast((text) => text.trim() !== '')
          ?.trim() ?? '',
    })
  }
  return [...errors.values()]
}

function toDiagnostic({ path, line, message, excerpt }: EmittedSyntaxError) {
  return {
    location: {},
    message: `${path}, line ${line}, would not be valid TypeScript: ${message} Near: ${excerpt}`,
    hint: 'If you replaced a template, fix it. Otherwise, report this with your schema.',
  }
}

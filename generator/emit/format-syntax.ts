import type { Project } from 'ts-morph'
import { GeneratorError } from '../errors.js'
import type { EmittedFile } from './files.js'

/**
 * Proves that files are TypeScript.
 * @param files with their imports. All are parsed at once, and so should not be too many
 * @throws GeneratorError naming each file that is no valid TypeScript, with the place and the line
 */
export async function assertSyntax(files: readonly EmittedFile[]): Promise<void> {
  // Only loaded where there is something to prove: it takes longer to load than an unchanged run takes.
  const morph = await import('ts-morph')
  const project = new morph.Project({
    useInMemoryFileSystem: true,
    skipFileDependencyResolution: true,
    skipLoadingLibFiles: true,
    compilerOptions: { noLib: true, noResolve: true, types: [], target: morph.ScriptTarget.Latest },
  })
  for (const { path, text } of files) project.createSourceFile(`/${path}`, text)
  const faults = syntaxFaults(project)
  if (faults.length > 0) throw new GeneratorError(faults.map(describeFault))
}

/** A place in an emitted file that is no TypeScript. */
interface EmittedFileFault {
  readonly path: string
  readonly line: number
  readonly message: string
  readonly excerpt: string
}

/** The first syntax fault of each file of a project; later ones of the same file mostly follow from it. */
function syntaxFaults(project: Project): EmittedFileFault[] {
  const faults = new Map<string, EmittedFileFault>()
  for (const diagnostic of project.getProgram().getSyntacticDiagnostics()) {
    const source = diagnostic.getSourceFile()
    const path = source.getFilePath().slice(1)
    if (faults.has(path)) continue
    const line = diagnostic.getLineNumber()
    const message = diagnostic.getMessageText()
    faults.set(path, {
      path,
      line,
      message: typeof message === 'string' ? message : message.getMessageText(),
      // At the end of the file there is nothing to show but what stands before it.
      excerpt:
        source
          .getFullText()
          .split('\n')
          .slice(0, line)
          .findLast((text) => text.trim() !== '')
          ?.trim() ?? '',
    })
  }
  return [...faults.values()]
}

function describeFault({ path, line, message, excerpt }: EmittedFileFault) {
  return {
    place: {},
    what: `${path}, line ${line}, would not be valid TypeScript: ${message} Near: ${excerpt}`,
    mend: 'If you replaced a template, correct it; otherwise please report this with your schema.',
  }
}

import { type EmittedFile, GENERATED_HEADER } from '../../../generator/emit/files.js'

/** The files of two hundred models. Each contains the name of its generation from the beginning to the end. */
export function manyFiles(generation: string): EmittedFile[] {
  return Array.from({ length: 200 }, (_, index) => `Model${index}`).flatMap((model) =>
    ['rest.ts', 'rpc.ts'].map((name) => ({
      path: `${model.toLowerCase()}/${name}`,
      text: [
        GENERATED_HEADER,
        `// Source: model ${model}. Regenerate with \`prisma generate\`.`,
        ...Array.from({ length: 2000 }, (_, line) => `export const line${line} = '${generation} ${model} ${name}'`),
        '',
      ].join('\n'),
    })),
  )
}

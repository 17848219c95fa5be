import type { GeneratorConfig } from '@prisma/generator-helper'

import type { GeneratorBlock } from './generator-block.js'

/** Converts a generator block from Prisma 7 to a {@link GeneratorBlock}. Its output must be absolute. */
export function blockFromPrisma(generator: GeneratorConfig): GeneratorBlock {
  return {
    name: generator.name,
    provider: generator.provider.value ?? '',
    output: generator.output?.value ?? undefined,
    isCustomOutput: generator.isCustomOutput === true,
    previewFeatures: generator.previewFeatures,
    config: generator.config,
    file: generator.sourceFilePath,
  }
}

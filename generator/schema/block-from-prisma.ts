import type { GeneratorConfig } from '@prisma/generator-helper'

import type { GeneratorBlock } from './generator-block.js'

/** A generator block as Prisma 7 hands it out, output absolute → {@link GeneratorBlock}. */
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

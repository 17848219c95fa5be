import type { FieldPath, Expression, Operand } from '../../../runtime/features/expressions/parse-expression.js'

/** Prints an expression so that it parses to the same expression. */
export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return `${expression.kind}(${expression.parts.map(printExpression).join(',')})`
    case 'not':
      return `not(${printExpression(expression.part)})`
    case 'has':
    case 'every': {
      const condition = expression.condition ? `,${printExpression(expression.condition)}` : ''
      return `${expression.kind}(${printChain(expression.chain)}${condition})`
    }
    case 'compare': {
      const { name, isCount, chain, operands } = expression
      const subject = isCount ? `count(${printChain(chain)})` : printChain(chain)
      return `${name}(${[subject, ...operands.map(printOperand)].join(',')})`
    }
  }
}

function printOperand(operand: Operand): string {
  if (operand.kind === 'null') return 'null'
  return operand.kind === 'text' ? `'${operand.text.replaceAll("'", "''")}'` : printChain(operand.chain)
}

function printChain({ names }: FieldPath): string {
  return names.join('.')
}

/** Removes the positions of an expression's parts. */
export function stripPositions(expression: Expression): unknown {
  return JSON.parse(JSON.stringify(expression, (key, value: unknown) => (key === 'at' ? undefined : value)))
}

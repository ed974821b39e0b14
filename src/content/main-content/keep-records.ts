import { keepBylines } from './bylines.ts'
import type { Choice } from './choice.ts'
import type { Evidence } from './evidence.ts'
import { isAboutProduct, keepPrice, readProduct } from './product.ts'
import { findGroups } from './records.ts'
import { keepWholeRecords } from './whole-records.ts'

/** Keeps related parts of shops, forums and lists together: cards, posts, a product and its price. */
export function keepRecords(choice: Choice, evidence: Evidence, probabilities: Float32Array): void {
  const groups = findGroups(evidence)
  const product = readProduct(evidence)
  const isOfProduct = isAboutProduct(evidence, groups, product)
  keepWholeRecords(choice, evidence, groups, { isOfProduct, probabilities })
  if (isOfProduct) keepPrice(choice, evidence, groups, product)
  keepBylines(choice, evidence, groups)
}

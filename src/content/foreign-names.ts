/**
 * Names in drawings and formulas that are written with capitals. HTML reads names without regard to case, but
 * XML, where drawings often end up, does not.
 */

const byLowerCase = (names: string): ReadonlyMap<string, string> =>
  new Map(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name.toLowerCase(), name]),
  )

export const foreignTags = byLowerCase(`
  altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend feColorMatrix
  feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight
  feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology
  feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef
  linearGradient radialGradient textPath
`)

export const foreignAttributes = byLowerCase(`
  attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits definitionURL diffuseConstant
  edgeMode filterUnits glyphRef gradientTransform gradientUnits kernelMatrix kernelUnitLength keyPoints
  keySplines keyTimes lengthAdjust limitingConeAngle markerHeight markerUnits markerWidth maskContentUnits
  maskUnits numOctaves pathLength patternContentUnits patternTransform patternUnits pointsAtX pointsAtY
  pointsAtZ preserveAlpha preserveAspectRatio primitiveUnits refX refY repeatCount repeatDur
  requiredExtensions requiredFeatures specularConstant specularExponent spreadMethod startOffset stdDeviation
  stitchTiles surfaceScale systemLanguage tableValues targetX targetY textLength viewBox viewTarget
  xChannelSelector yChannelSelector zoomAndPan
`)

-- | Curves of predicted heights.
module Skerry.Curve
  ( Curve,
    Gauge (..),
    Quality (..),
    predict,
    at,
  )
where

-- | Heights at even steps.
newtype Curve = Curve [Double]

-- | How far a reading can be trusted.
data Quality
  = -- | Measured and checked.
    Good
  | -- | Filled in from the neighbours.
    Interpolated
  deriving (Eq, Ord, Show, Enum)

-- | What can be read.
class Gauge g where
  -- | Measures the level once.
  level :: g -> IO Double

  -- | Says how far the gauge can be trusted.
  quality :: g -> Quality
  quality _ = Good

  {-# MINIMAL level #-}

-- | Predicts the curve of a station.
--
-- 1. Reads the constituents.
-- 2. Adds one wave per constituent.
predict :: String -> Int -> Curve
predict _ _ = Curve []

-- | Gives the height at a time.
at :: Curve -> Int -> Maybe Double
at _ _ = Nothing
{-# DEPRECATED at "Use predict, which knows." #-}

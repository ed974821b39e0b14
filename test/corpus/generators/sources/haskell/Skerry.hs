{-|
Module      : Skerry
Description : Reads tide gauges
Copyright   : (c) The Skerry Crew, 2026
License     : MIT
Maintainer  : crew@skerry.test
Stability   : stable

Reads tide gauges and predicts heights. Heights are metres above chart datum.

= First steps

Open a station and read it:

@
station <- 'open' "hallig"
readings <- 'readSince' station 3600
@

* works without a network
* needs no driver

>>> average [1, 2, 3]
2.0
-}
module Skerry
  ( -- * Stations
    Station (..),
    open,
    readSince,

    -- * Figures
    -- | What can be computed from readings.
    average,
    Height,

    -- ** Curves
    module Skerry.Curve,
  )
where

import Skerry.Curve

-- | A place with a name and perhaps a gauge.
data Station = Station
  { -- | The name, in lower case.
    stationName :: String,
    -- | Height of the sill, if there is one.
    stationSill :: Maybe Height
  }
  deriving (Eq, Show)

-- | Metres above chart datum.
type Height = Double

-- | Opens a station by its name.
--
-- __Note:__ names are not sensitive to case.
open ::
  -- | The name
  String ->
  -- | The station, if there is one
  IO (Maybe Station)
open name = pure (Just (Station name Nothing))

-- | Reads what a gauge has stored, the oldest reading first.
--
-- @since 1.2
readSince :: Station -> Int -> IO [Height]
readSince _ _ = pure []

-- | The mean of heights.
--
-- +-------+-------+
-- | Input | Mean  |
-- +=======+=======+
-- | none  | NaN   |
-- +-------+-------+
average :: [Height] -> Height
average heights = sum heights / fromIntegral (length heights)

-- | What goes wrong.
module Skerry.Errors (GaugeError (..), explain) where

import Control.Exception (Exception)

-- | Thrown when a gauge does not answer.
data GaugeError
  = -- | The line is dead.
    DeadLine
  | -- | The clock is off by so many seconds.
    WrongClock Int
  deriving (Show)

instance Exception GaugeError

-- | Says what to do about an error.
explain :: GaugeError -> String
explain DeadLine = "Check the plug."
explain (WrongClock seconds) = "Set the clock by " ++ show seconds ++ "."

import Motion
import Stage
import Testing
import Text

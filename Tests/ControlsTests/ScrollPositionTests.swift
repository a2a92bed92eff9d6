import Controls
import Testing

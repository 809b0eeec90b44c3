"""The samples of 四副滚子."""

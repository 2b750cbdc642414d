"""MCM (paper 003): the value network of Dou Dizhu, trained by self-play, its judge, its student and its policy."""
